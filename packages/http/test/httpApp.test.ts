import { createServer } from "node:http"
import { HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { httpApp, makeInterpreter, publicModule } from "../src/index.js"
import { contact, contactId, fakes, token } from "./fakes.js"

const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "k" }

/** Base URL of a server with the app and another route of its host. */
const serving = Effect.gen(function* () {
  const { services } = fakes({
    getContact: () => Effect.succeed(contact),
    createContact: (_caller, { decoded }) =>
      Effect.succeed({ status: 201, body: JSON.stringify({ data: decoded.value.firstName }), replayed: false })
  })
  const interpreter = yield* Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] })).pipe(
    Effect.provide(services)
  )
  const app = HttpRouter.empty.pipe(
    HttpRouter.get("/healthz", HttpServerResponse.text("fine")),
    HttpRouter.mountApp("/messaging", httpApp(interpreter))
  )
  const context = yield* Layer.build(
    HttpServer.serve(app).pipe(Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })))
  )
  const address = yield* Effect.provide(HttpServer.addressWith(Effect.succeed), context)
  return `http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`
})

it.scopedLive("serves beside other routes of an app, below a prefix", () =>
  Effect.gen(function* () {
    const base = yield* serving
    const [healthz, found, missing] = yield* Effect.promise(() =>
      Promise.all([
        fetch(`${base}/healthz`),
        fetch(`${base}/messaging/api/v1/contacts/${contactId}`, { headers }),
        fetch(`${base}/messaging/api/v1/nothing`)
      ])
    )
    expect([healthz.status, found.status, missing.status]).toEqual([200, 200, 404])
    expect(found.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
    expect(found.headers.get("content-type")).toBe("application/json")
    expect(yield* Effect.promise(() => found.json())).toMatchObject({ data: { id: contactId } })
  })
)

it.scopedLive("reads bodies up to the limit", () =>
  Effect.gen(function* () {
    const url = `${yield* serving}/messaging/api/v1/contacts`
    const post = (body: string) => Effect.promise(() => fetch(url, { method: "POST", headers, body }))
    const created = yield* post(`{"first_name":"Zoë"}`)
    expect([created.status, yield* Effect.promise(() => created.text())]).toEqual([201, `{"data":"Zoë"}`])
    expect((yield* post("x".repeat(5_000_000))).status).toBe(413)
  })
)
