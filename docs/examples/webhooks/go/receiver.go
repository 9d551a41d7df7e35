// Receives webhooks on Go's library alone. Run: WEBHOOK_SECRET=whsec_… PORT=9000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

var digits = regexp.MustCompile(`^\d{1,12}$`)

// isGenuine reports whether the signature is valid and at most five minutes old. It takes the raw bytes, not serialised JSON.
func isGenuine(rawBody []byte, timestamp, signature, secret string) bool {
	if !digits.MatchString(timestamp) {
		return false
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - seconds; age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	return hmac.Equal([]byte("sha256="+hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

// keep stores an event for later processing; false if it exists. Your service would insert it under a unique id.
func keep(inbox, id string, rawBody []byte) (bool, error) {
	draft, err := os.CreateTemp(inbox, ".draft")
	if err != nil {
		return false, err
	}
	defer os.Remove(draft.Name())
	defer draft.Close()
	if _, err := draft.Write(rawBody); err != nil {
		return false, err
	}
	err = os.Link(draft.Name(), filepath.Join(inbox, id+".json"))
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func receive(inbox, secret string) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPost {
			response.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		rawBody, err := io.ReadAll(request.Body)
		header := request.Header
		if err != nil || !isGenuine(rawBody, header.Get("X-Webhook-Timestamp"), header.Get("X-Webhook-Signature"), secret) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		// The id in the body is the signed one; it equals X-Webhook-ID.
		var event struct{ ID, Type string }
		err = json.Unmarshal(rawBody, &event)
		isNew := false
		if err == nil {
			isNew, err = keep(inbox, event.ID, rawBody)
		}
		if err != nil {
			// Any other status than 2xx is retried.
			log.Print(err)
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		if isNew {
			log.Printf("kept %s %s", event.Type, event.ID)
		}
		response.WriteHeader(http.StatusNoContent)
	}
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	secret, inbox := setting("WEBHOOK_SECRET", ""), setting("INBOX", "inbox")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	if err := os.MkdirAll(inbox, 0o700); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "9000"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, receive(inbox, secret)))
}
