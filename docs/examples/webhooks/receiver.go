// Receives webhooks: verifies each, stores it as inbox/ID.json, answers. A worker of yours takes it from there.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var key, keyError = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
var plain = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

func isGenuine(id, timestamp, signatures string, body []byte) (found bool) {
	mac := hmac.New(sha256.New, key)
	mac.Write(append([]byte(id+"."+timestamp+"."), body...))
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Split(signatures, " ") {
		found = found || hmac.Equal([]byte(one), expected)
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	return found && err == nil && plain.MatchString(id) && time.Since(time.Unix(seconds, 0)).Abs() <= 5*time.Minute
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	id := r.Header.Get("webhook-id")
	status, file := http.StatusNoContent, "inbox/"+id+".json"
	if err != nil || !isGenuine(id, r.Header.Get("webhook-timestamp"), r.Header.Get("webhook-signature"), body) {
		status = http.StatusBadRequest
	} else if _, err := os.Stat(file); err != nil { // Else it was received before.
		if os.WriteFile(file+".part", body, 0o600) != nil || os.Rename(file+".part", file) != nil {
			status = http.StatusInternalServerError
		}
	}
	w.WriteHeader(status)
}

func main() {
	if keyError != nil || len(key) < 24 {
		log.Fatal("WEBHOOK_SECRET is empty or too short")
	}
	os.MkdirAll("inbox", 0o700)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(receive)))
}
