// Receives webhooks on Node alone. Run: WEBHOOK_SECRET=whsec_… PORT=9000 node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto"
import { link, mkdir, unlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"

const { WEBHOOK_SECRET: secret, PORT: port = "9000", INBOX: inbox = "inbox" } = process.env
if (!secret) throw new Error("WEBHOOK_SECRET is not set")
await mkdir(inbox, { recursive: true })

/**
 * Whether the signature is valid and at most five minutes old. `rawBody` is unparsed: parsing and serialising changes
 * it.
 */
const isGenuine = (rawBody, headers) => {
  const timestamp = headers["x-webhook-timestamp"] ?? ""
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest("hex")}`
  const given = Buffer.from(headers["x-webhook-signature"] ?? "")
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
}

/** Stores an event for later processing; false if it exists. Your service would insert it under a unique id. */
const keep = async (id, rawBody) => {
  const temporary = `${inbox}/.${id}.${process.hrtime.bigint()}`
  await writeFile(temporary, rawBody)
  try {
    await link(temporary, `${inbox}/${id}.json`)
    return true
  } catch (error) {
    if (error.code === "EEXIST") return false
    throw error
  } finally {
    await unlink(temporary)
  }
}

const receive = async (request) => {
  if (request.method !== "POST") return 405
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  if (!isGenuine(rawBody, request.headers)) return 401
  // The id in the body is the signed one; it equals X-Webhook-ID.
  const { id, type } = JSON.parse(rawBody)
  if (await keep(id, rawBody)) console.log(`kept ${type} ${id}`)
  return 204
}

const server = createServer((request, response) => {
  receive(request)
    .catch((error) => {
      console.error(error)
      return 500 // any other status than 2xx is retried
    })
    .then((status) => response.writeHead(status).end())
})
server.listen(Number(port), "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
