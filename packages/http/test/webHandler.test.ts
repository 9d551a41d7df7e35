import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit } from "effect"
import { makeInterpreter, publicModule, webHandler } from "../src/index.js"
import { contact, contactId, type Fakes, fakes, token } from "./fakes.js"

const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "k" }
const base = "https://shop.example/api/v1"

const handling = (parts: Partial<Fakes> = {}) => {
  const { services, takenFrom } = fakes(parts)
  return Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] })).pipe(
    Effect.flatMap(webHandler),
    Effect.map((handle) => ({ handle, takenFrom })),
    Effect.provide(services)
  )
}

it.live("serves a fetch request", () =>
  Effect.gen(function* () {
    const { handle } = yield* handling({ getContact: () => Effect.succeed(contact) })
    const response = yield* Effect.promise(() => handle(new Request(`${base}/contacts/${contactId}?x=1`, { headers })))
    expect(response.status).toBe(200)
    expect(response.headers.get("x-ratelimit-remaining")).toBe("999")
    expect(yield* Effect.promise(() => response.json())).toMatchObject({ data: { id: contactId } })
  })
)

it.live("reads a streamed body up to the limit", () =>
  Effect.gen(function* () {
    const { handle } = yield* handling({
      createContact: (_caller, { decoded }) =>
        Effect.succeed({ status: 201, body: JSON.stringify({ data: decoded.value.firstName }), replayed: false })
    })
    const post = (chunks: ReadonlyArray<string>) => {
      const body = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)))
      const request = new Request(`${base}/contacts`, { method: "POST", headers, body, duplex: "half" })
      return Effect.promise(() => handle(request))
    }
    const created = yield* post([`{"first_`, `name":"Ada"}`])
    expect([created.status, yield* Effect.promise(() => created.text())]).toEqual([201, `{"data":"Ada"}`])
    expect((yield* post(Array(50).fill("x".repeat(100_000)))).status).toBe(413)
    expect((yield* post([])).status).toBe(400)
  })
)

it.live("charges the peer's bucket if the peer is known", () =>
  Effect.gen(function* () {
    const { handle, takenFrom } = yield* handling()
    yield* Effect.promise(() => handle(new Request(`${base}/nothing`), { peer: "198.51.100.1" }))
    yield* Effect.promise(() => handle(new Request(`${base}/nothing`)))
    expect([...takenFrom.keys()]).toEqual(["address:198.51.100.1", "address:unknown"])
  })
)

it.live("interrupts a read that its client aborts", () =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
    const begun = yield* Deferred.make<void>()
    const { handle } = yield* handling({
      getContact: () =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onExit((exit) => Deferred.succeed(ended, exit))
        )
    })
    const client = new AbortController()
    const response = handle(new Request(`${base}/contacts/${contactId}`, { headers, signal: client.signal }))
    response.catch(() => {})
    yield* Deferred.await(begun)
    client.abort()
    expect(Exit.isInterrupted(yield* Deferred.await(ended))).toBe(true)
  })
)
