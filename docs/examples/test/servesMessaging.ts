import { request } from "node:http"
import { connect } from "node:net"
import { expect } from "@effect/vitest"
import { Effect, Schedule, type Scope } from "effect"
import { adminToken, type ExampleProcess, example } from "./exampleProcess.js"
import { receiver, signatureOf } from "./receiver.js"

/** Expects that an example serves messaging beside its own routes, and stops without losing a request. */
export const servesMessaging = (
  file: string,
  environment: { readonly [name: string]: string }
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const shop = yield* example(file, environment)
    expect(yield* fetched(`${shop.url}/ready`)).toMatchObject({ status: 200, body: { ready: true } })

    const hook = yield* receiver
    const [application] = (yield* calledAsAdmin(shop, "GET", "/applications")).data
    const endpoint = yield* calledAsAdmin(shop, "POST", `/applications/${application.id}/webhook-endpoints`, {
      url: hook.url,
      events: ["message.sent"]
    })

    const sent = yield* called(shop, "POST", "/messages", text("first"))
    expect(sent.status).toBe(202)
    const arrival = yield* hook.next
    expect(JSON.parse(arrival.body).data.message.id).toBe(sent.body.data.message_id)
    expect(arrival.headers["x-webhook-signature"]).toBe(signatureOf(endpoint.data.secret, arrival))

    const ordered = yield* fetched(`${shop.url}/orders`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "1042", email: "ada@example.com" })
    })
    expect(ordered.status).toBe(201)
    expect(yield* called(shop, "GET", `/messages/${ordered.body.message_id}`)).toMatchObject({ status: 200 })

    const last = yield* begun(shop, "last")
    yield* shop.stop
    yield* refused(shop.url)
    expect(yield* last.finish).toBe(202)
    expect(yield* shop.exit).toBe(0)
  })

const text = (body: string) => ({ channel: "email", to: "ada@example.com", type: "text", message: { body } })

const fetched = (url: string, init: RequestInit = {}): Effect.Effect<{ readonly status: number; readonly body: any }> =>
  Effect.promise(async () => {
    const response = await fetch(url, init)
    return { status: response.status, body: await response.json() }
  })

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  "idempotency-key": crypto.randomUUID()
})

const called = ({ apiKey, url }: ExampleProcess, method: string, path: string, body?: object) =>
  fetched(`${url}/messaging/api/v1${path}`, {
    method,
    headers: headersOf(apiKey),
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const calledAsAdmin = ({ url }: ExampleProcess, method: string, path: string, body?: object) =>
  Effect.map(
    fetched(`${url}/messaging/admin/v1${path}`, {
      method,
      headers: headersOf(adminToken),
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }),
    (answer) => answer.body
  )

/** A send that the server has taken and whose body is yet to come. */
const begun = ({ apiKey, url }: ExampleProcess, message: string) =>
  Effect.async<{ readonly finish: Effect.Effect<number | undefined> }>((resume) => {
    const body = JSON.stringify(text(message))
    const sending = request(`${url}/messaging/api/v1/messages`, {
      method: "POST",
      headers: { ...headersOf(apiKey), "content-length": Buffer.byteLength(body), expect: "100-continue" }
    })
    const status = new Promise<number | undefined>((answered, failed) => {
      sending.on("response", (response) => {
        response.resume()
        response.on("end", () => answered(response.statusCode))
      })
      sending.on("error", failed)
    })
    const finish = Effect.promise(() => {
      sending.end(body)
      return status
    })
    sending.on("continue", () => resume(Effect.succeed({ finish })))
    sending.flushHeaders()
  })

/** Resumes when the server accepts no more connections. */
const refused = (url: string) =>
  Effect.async<void, "let in">((resume) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.fail("let in"))
    })
    socket.once("error", () => resume(Effect.void))
  }).pipe(Effect.retry(Schedule.spaced(20)), Effect.orDie)
