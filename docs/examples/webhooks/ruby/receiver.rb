# Receives webhooks on WEBrick (gem install webrick). Run: WEBHOOK_SECRET=whsec_… PORT=9000 ruby receiver.rb

require "fileutils"
require "json"
require "openssl"
require "tempfile"
require "webrick"

SECRET = ENV.fetch("WEBHOOK_SECRET")
INBOX = ENV.fetch("INBOX", "inbox")

# Whether the signature is valid and at most five minutes old. Takes the raw bytes, not serialised JSON.
def genuine?(raw_body, timestamp, signature)
  return false unless timestamp.match?(/\A\d{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", SECRET, "#{timestamp}.".b + raw_body)
  signature.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(signature, expected)
end

# Stores an event for later processing; false if it exists. Your service would insert it under a unique id.
def keep(id, raw_body)
  Tempfile.create(".draft", INBOX, binmode: true) do |draft|
    draft.write(raw_body)
    draft.flush
    File.link(draft.path, File.join(INBOX, "#{id}.json"))
    true
  rescue Errno::EEXIST
    false
  end
end

class Receiver < WEBrick::HTTPServlet::AbstractServlet
  # WEBrick answers 500 to an exception. Any other status than 2xx is retried.
  def do_POST(request, response)
    raw_body = (request.body || "").b
    unless genuine?(raw_body, request["X-Webhook-Timestamp"].to_s, request["X-Webhook-Signature"].to_s)
      response.status = 401
      return
    end
    # The id in the body is the signed one; it equals X-Webhook-ID.
    event = JSON.parse(raw_body)
    puts "kept #{event["type"]} #{event["id"]}" if keep(event["id"], raw_body)
    response.status = 204
  end
end

$stdout.sync = true
FileUtils.mkdir_p(INBOX)
server = WEBrick::HTTPServer.new(
  BindAddress: "127.0.0.1",
  Port: Integer(ENV.fetch("PORT", "9000")),
  AccessLog: [],
  Logger: WEBrick::Log.new($stderr, WEBrick::Log::WARN),
  StartCallback: -> { puts "listening on http://127.0.0.1:#{server.listeners.first.addr[1]}" }
)
server.mount("/", Receiver)
trap("TERM") { server.shutdown }
server.start
