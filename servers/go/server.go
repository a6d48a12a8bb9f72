// The built-in scenarios on Go's net/http, with the standard library alone. Repeats the JavaScript of ../shared in Go.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/mail"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	token       = "YmVuY2gtc2VjcmV0LXRva2Vu"
	bodyLimit   = 1 << 20
	clientLimit = 1e9
	rateLimit   = 50
	rateWindow  = 10 * time.Second
	timeLimit   = 30 * time.Second
	longest     = 20
)

type document map[string]any

func answer(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}

func answerText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, text)
}

func fail(w http.ResponseWriter, status int) {
	answer(w, status, document{"error": http.StatusText(status)})
}

// readJSON reads a body into a value and answers if it is invalid; it returns whether it was valid.
func readJSON(w http.ResponseWriter, r *http.Request, to any, closed bool) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyLimit))
	if closed {
		decoder.DisallowUnknownFields()
	}
	err := decoder.Decode(to)
	if err == nil {
		return true
	}
	var wrongType *json.UnmarshalTypeError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		fail(w, http.StatusRequestEntityTooLarge)
	case errors.As(err, &wrongType), strings.HasPrefix(err.Error(), "json: unknown field"):
		fail(w, http.StatusUnprocessableEntity)
	default:
		fail(w, http.StatusBadRequest)
	}
	return false
}

func bearer(r *http.Request) string {
	value, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		return ""
	}
	return value
}

func clientOf(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host
}

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func oneOf(value *string, allowed ...string) bool {
	for _, one := range allowed {
		if value != nil && *value == one {
			return true
		}
	}
	return false
}

type profile struct {
	Username *string  `json:"username"`
	Email    *string  `json:"email"`
	Age      *float64 `json:"age"`
	Score    *float64 `json:"score"`
	Role     *string  `json:"role"`
	Status   *string  `json:"status"`
	Active   *bool    `json:"active"`
	Tags     []string `json:"tags"`
	Address  *struct {
		Street  *string `json:"street"`
		City    *string `json:"city"`
		Zip     *string `json:"zip"`
		Country *string `json:"country"`
	} `json:"address"`
	Preferences *struct {
		Theme         *string  `json:"theme"`
		Notifications *bool    `json:"notifications"`
		PageSize      *float64 `json:"pageSize"`
	} `json:"preferences"`
}

var zip = regexp.MustCompile(`^[0-9]{5}$`)

func isWhole(value *float64, least, most float64) bool {
	return value != nil && *value >= least && *value <= most && *value == math.Trunc(*value)
}

func isEmail(value *string) bool {
	if value == nil {
		return false
	}
	address, err := mail.ParseAddress(*value)
	return err == nil && address.Address == *value
}

func (p *profile) valid() bool {
	a, q := p.Address, p.Preferences
	if a == nil || q == nil || p.Username == nil || p.Score == nil || p.Active == nil || p.Tags == nil {
		return false
	}
	length := len([]rune(*p.Username))
	return length >= 3 && length <= 32 && isEmail(p.Email) &&
		isWhole(p.Age, 18, 120) && *p.Score >= 0 && *p.Score <= 100 && len(p.Tags) <= 10 &&
		oneOf(p.Role, "user", "admin", "editor") && oneOf(p.Status, "active", "inactive", "pending") &&
		a.Street != nil && a.City != nil && a.Zip != nil && zip.MatchString(*a.Zip) && oneOf(a.Country, "CN", "US", "DE") &&
		oneOf(q.Theme, "light", "dark") && q.Notifications != nil && isWhole(q.PageSize, 1, 100)
}

type nested struct {
	ID        int       `json:"id"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	CreatedAt string    `json:"createdAt"`
	Profile   biography `json:"profile"`
	Roles     []string  `json:"roles"`
	Metadata  metadata  `json:"metadata"`
}

type biography struct {
	Avatar   string `json:"avatar"`
	Bio      string `json:"bio"`
	Location string `json:"location"`
}

type metadata struct {
	LoginCount int    `json:"loginCount"`
	LastLogin  string `json:"lastLogin"`
}

func answerNested(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, nested{
		ID: 1, Name: "John Doe", Email: "john@example.com", CreatedAt: "2026-01-15T08:00:00.000Z",
		Profile:  biography{"https://example.com/avatar.png", "Software Engineer", "Shanghai, China"},
		Roles:    []string{"user", "admin"},
		Metadata: metadata{42, "2026-01-14T20:30:00.000Z"},
	})
}

func createUser(w http.ResponseWriter, user document) {
	user["id"] = "u_bench"
	answer(w, http.StatusCreated, user)
}

func postUser(w http.ResponseWriter, r *http.Request) {
	var user document
	if readJSON(w, r, &user, false) {
		createUser(w, user)
	}
}

func postCheckedUser(w http.ResponseWriter, r *http.Request) {
	var user document
	if !readJSON(w, r, &user, false) {
		return
	}
	name, _ := user["name"].(string)
	email, _ := user["email"].(string)
	if name == "" || email == "" {
		fail(w, http.StatusUnprocessableEntity)
		return
	}
	createUser(w, user)
}

func echoName(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name *string `json:"name"`
	}
	if !readJSON(w, r, &body, false) {
		return
	}
	if body.Name == nil {
		fail(w, http.StatusUnprocessableEntity)
		return
	}
	answer(w, http.StatusOK, document{"echo": *body.Name})
}

func validateProfile(w http.ResponseWriter, r *http.Request) {
	var body profile
	if !readJSON(w, r, &body, true) {
		return
	}
	if !body.valid() {
		fail(w, http.StatusUnprocessableEntity)
		return
	}
	answer(w, http.StatusOK, document{"valid": true})
}

func answerCached(w http.ResponseWriter, r *http.Request) {
	user := document{"id": r.PathValue("id"), "name": "Cached User", "email": "cached@example.com"}
	text, _ := json.Marshal(user)
	sum := sha256.Sum256(text)
	etag := `"` + hex.EncodeToString(sum[:12]) + `"`
	w.Header().Set("ETag", etag)
	for _, known := range strings.Split(r.Header.Get("If-None-Match"), ",") {
		if known = strings.TrimSpace(known); known == "*" || strings.TrimPrefix(known, "W/") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

// A layer around a handler, as middleware is written in Go.
type layer func(http.Handler) http.Handler

func wrap(handler http.HandlerFunc, layers ...layer) http.Handler {
	var wrapped http.Handler = handler
	for at := len(layers) - 1; at >= 0; at-- {
		wrapped = layers[at](wrapped)
	}
	return wrapped
}

// before makes a layer that runs `act` before each request; `act` returns whether to go on.
func before(act func(w http.ResponseWriter, r *http.Request) bool) layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if act(w, r) {
				next.ServeHTTP(w, r)
			}
		})
	}
}

type key string

// with makes a layer that puts a value into the context of each request.
func with(name key, value func(r *http.Request) any) layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), name, value(r))))
		})
	}
}

var authenticate = before(func(w http.ResponseWriter, r *http.Request) bool {
	if bearer(r) == token {
		return true
	}
	fail(w, http.StatusUnauthorized)
	return false
})

var (
	lines  [1000]atomic.Value
	logged atomic.Uint64
	counts sync.Map
)

func logLine(line string) {
	lines[(logged.Add(1)-1)%uint64(len(lines))].Store(line)
}

func readClaims(value string) document {
	parts := strings.Split(value, ".")
	if len(parts) != 3 {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims document
	if err != nil || json.Unmarshal(text, &claims) != nil {
		return nil
	}
	return claims
}

var fiveLayers = []layer{
	func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := newID()
			w.Header().Set("X-Request-Id", id)
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key("id"), id)))
		})
	},
	before(func(_ http.ResponseWriter, r *http.Request) bool {
		logLine(r.Method + " " + r.URL.Path + " " + r.Context().Value(key("id")).(string))
		return true
	}),
	func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			claims := readClaims(bearer(r))
			if claims == nil {
				fail(w, http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key("claims"), claims)))
		})
	},
	before(func(w http.ResponseWriter, r *http.Request) bool {
		count, _ := counts.LoadOrStore(clientOf(r), new(atomic.Uint64))
		if count.(*atomic.Uint64).Add(1) <= clientLimit {
			return true
		}
		fail(w, http.StatusTooManyRequests)
		return false
	}),
	before(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("X-Powered-By-Bench", "go")
		return true
	}),
}

var requireJSONAccepted = before(func(w http.ResponseWriter, r *http.Request) bool {
	accepted := r.Header.Get("Accept")
	for _, one := range strings.Split(accepted, ",") {
		kind, _, _ := strings.Cut(strings.TrimSpace(one), ";")
		if accepted == "" || kind == "application/json" || kind == "application/*" || kind == "*/*" {
			return true
		}
	}
	fail(w, http.StatusNotAcceptable)
	return false
})

var allowOrigins = before(func(w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	return true
})

func limitTime(next http.Handler) http.Handler {
	return http.TimeoutHandler(next, timeLimit, "")
}

type buffered struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (b *buffered) WriteHeader(status int)      { b.status = status }
func (b *buffered) Write(p []byte) (int, error) { return b.body.Write(p) }

func compress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		whole := &buffered{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(whole, r)
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(whole.status)
		writer := gzip.NewWriter(w)
		writer.Write(whole.body.Bytes())
		writer.Close()
	})
}

type window struct {
	count int
	ends  time.Time
}

var (
	windows     = map[string]*window{}
	windowsLock sync.Mutex
)

var limitRate = before(func(w http.ResponseWriter, r *http.Request) bool {
	now := time.Now()
	client := clientOf(r)
	windowsLock.Lock()
	current := windows[client]
	if current == nil || !now.Before(current.ends) {
		current = &window{ends: now.Add(rateWindow)}
		windows[client] = current
	}
	current.count++
	within, ends := current.count <= rateLimit, current.ends
	windowsLock.Unlock()
	if !within {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(ends.Sub(now).Seconds()))))
		fail(w, http.StatusTooManyRequests)
	}
	return within
})

func sessionOf(r *http.Request) document {
	session, _ := r.Context().Value(key("session")).(document)
	return session
}

var withSession = with("session", func(*http.Request) any { return document{"userId": "bench-user"} })

var withRenewedSession = with("session", func(r *http.Request) any {
	return document{"userId": sessionOf(r)["userId"], "renewed": true}
})

var allow = before(func(w http.ResponseWriter, r *http.Request) bool {
	if sessionOf(r)["renewed"] == true {
		return true
	}
	fail(w, http.StatusForbidden)
	return false
})

func responseTime(started time.Time) string {
	return fmt.Sprintf("%.3fms", float64(time.Since(started))/float64(time.Millisecond))
}

// timed adds the handler's time to its answer, as late as headers can be added.
func timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&timedWriter{ResponseWriter: w, started: time.Now()}, r)
	})
}

type timedWriter struct {
	http.ResponseWriter
	started time.Time
}

func (t *timedWriter) WriteHeader(status int) {
	t.Header().Set("X-Response-Time", responseTime(t.started))
	t.ResponseWriter.WriteHeader(status)
}

var withBenchID = before(func(w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("X-Bench-Request-Id", newID())
	return true
})

var withCredentials = with("credentials", func(r *http.Request) any { return r.Header.Get("Authorization") })

func answerChain(w http.ResponseWriter, r *http.Request) {
	started := time.Now()
	id := newID()
	w.Header().Set("X-Bench-Request-Id", id)
	r = r.WithContext(context.WithValue(r.Context(), key("credentials"), r.Header.Get("Authorization")))
	w.Header().Set("X-Response-Time", responseTime(started))
	answer(w, http.StatusOK, document{"message": "Chain complete", "requestId": id, "authenticated": true})
}

func passedOf(r *http.Request) int {
	passed, _ := r.Context().Value(key("passed")).(int)
	return passed
}

var countPassed = with("passed", func(r *http.Request) any { return passedOf(r) + 1 })

var logRequest layer = func(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		next.ServeHTTP(w, r)
		logLine(clientOf(r) + " " + started.UTC().Format(time.RFC3339) + " " + r.Method + " " + r.URL.Path + " " + responseTime(started))
	})
}

func hasLogged(text string) bool {
	for at := range lines {
		if line, ok := lines[at].Load().(string); ok && strings.Contains(line, text) {
			return true
		}
	}
	return false
}

var unit = make([]byte, 32*1024)

func compute(units int) document {
	hash := sha256.New()
	for left := units; left > 0; left-- {
		hash.Write(unit)
	}
	return document{"units": units, "result": binary.BigEndian.Uint32(hash.Sum(nil))}
}

func constant(body any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, body) }
}

func answerID(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, document{"id": r.PathValue("id")})
}

func answerUser(w http.ResponseWriter, r *http.Request) {
	query := map[string]string{}
	for name, values := range r.URL.Query() {
		query[name] = values[len(values)-1]
	}
	answer(w, http.StatusOK, document{"id": r.PathValue("id"), "query": query})
}

func routes() *http.ServeMux {
	mux := http.NewServeMux()
	get := func(path string, handler http.HandlerFunc, layers ...layer) {
		mux.Handle("GET "+path, wrap(handler, layers...))
	}
	post := func(path string, handler http.HandlerFunc, layers ...layer) {
		mux.Handle("POST "+path, wrap(handler, layers...))
	}

	get("/ping", constant(document{"ok": true}))
	get("/json", constant(document{"message": "Hello, World!"}))
	get("/json/nested", answerNested)
	get("/items/{id}", answerID)
	get("/users/{id}", answerUser)
	get("/auth/users/{id}", answerID, authenticate)
	post("/users", postUser)
	post("/schema", echoName)
	post("/validate", validateProfile)
	post("/auth/users", postCheckedUser, authenticate)
	get("/middleware", constant(document{"ok": true}), withSession)
	get("/middleware-5", constant(document{"message": "Hello, World!"}), fiveLayers...)
	get("/cached/users/{id}", answerCached)
	post("/stack/auth/users", postCheckedUser, limitTime, allowOrigins, compress, requireJSONAccepted, authenticate)
	post("/rate-limited/users", postCheckedUser, limitRate, authenticate)

	get("/{$}", func(w http.ResponseWriter, _ *http.Request) { answerText(w, "Hello, World!") })
	get("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mark := func(name key) layer { return with(name, func(*http.Request) any { return true }) }
	get("/user/{id}", func(w http.ResponseWriter, r *http.Request) { answerText(w, "User: "+r.PathValue("id")) }, mark("first"), mark("second"))
	get("/middleware-chain", constant(document{"message": "Middleware chain complete", "authenticated": true}), timed, withBenchID, withCredentials)
	get("/chain", answerChain)
	post("/full", echoName, withSession, withRenewedSession, allow)
	get("/serialise", answerNested)
	answerPassed := func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, document{"passed": passedOf(r)})
	}
	get("/middleware-0", answerPassed)
	chain := make([]layer, longest)
	for at := range chain {
		chain[at] = countPassed
	}
	get("/middleware-20", answerPassed, chain...)
	get("/logging", constant(document{"ok": true}), logRequest)
	get("/logged", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, document{"logged": hasLogged("/logging")})
	})
	for _, size := range []int{1, 10} {
		get(fmt.Sprintf("/cpu/%d", size), func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, compute(size)) })
		get(fmt.Sprintf("/wait/%d", size), func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Duration(size) * time.Millisecond)
			answer(w, http.StatusOK, document{"waited": size})
		})
	}
	for _, count := range []int{10, 100, 1000} {
		for number := 1; number <= count; number++ {
			get(fmt.Sprintf("/routes-%d/resource-%d/{id}", count, number), func(w http.ResponseWriter, r *http.Request) {
				answer(w, http.StatusOK, document{"route": number, "id": r.PathValue("id")})
			})
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fail(w, http.StatusNotFound) })
	return mux
}

func envOr(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	address := net.JoinHostPort(envOr("HOST", "127.0.0.1"), envOr("PORT", "3000"))
	server := &http.Server{Addr: address, Handler: routes()}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() {
		<-ended
		server.Close()
		os.Exit(0)
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {}
}
