import { expect, layer } from "@effect/vitest"
import { scriptedServer, scriptedVendor, vendorMessage, vendorSecret, vendorSignature } from "@parley/testkit"
import { databases } from "@parley/testkit/databases"
import { Effect, Logger, LogLevel } from "effect"
import { ProviderHooks } from "../../../src/flows/inbound/ProviderHooks.js"
import type { InboundEvent } from "../../../src/model/InboundEvent.js"
import { changes, expect as expectRow, set } from "../../../src/ports/Changes.js"
import { Storage } from "../../../src/ports/Storage.js"
import { ask, connectionsWith, storedOf, vendorEngine } from "../../resources/channels/vendorEngine.js"

/** A request with the vendor's signature. */
const signed = (reported: unknown, secret = "secret") => {
  const body = JSON.stringify(reported)
  return { body, headers: { signature: vendorSignature(secret, body) } }
}
const about = (account: string | null, ...events: ReadonlyArray<InboundEvent>) => ({ account, events })
const suspended = { status: "suspended" as const }
const hello = (id: string, from = "ada") => vendorMessage(id, from, `hello ${id}`)

const server = {
  ...scriptedServer(() => Effect.dieMessage("not called")),
  bodyLimit: (path: string) => (path === "/files" ? 2_000 : 1_000)
}

for (const [name, storage] of databases) {
  const live = vendorEngine(storage, [scriptedVendor, server])
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a vendor's requests on ${name}`, (it) => {
    it.effect("are stored completely before they are answered", () =>
      Effect.gen(function* () {
        const [connection] = yield* connectionsWith({})
        const reported = [about(null, hello("1"), hello("2", "zoe")), about("own", hello("3"))]
        const answer = yield* ask(connection.id, signed(reported))
        expect([answer.status, answer.body]).toEqual([200, ""])
        expect((yield* storedOf(connection)).texts).toEqual(["hello 1", "hello 2", "hello 3"])
      })
    )

    it.effect("that are redelivered are answered again and stored once", () =>
      Effect.gen(function* () {
        const [connection] = yield* connectionsWith({})
        const request = signed([about(null, hello("1"))])
        const answers = yield* Effect.all(
          [1, 2, 3].map(() => ask(connection.id, request)),
          { concurrency: "unbounded" }
        )
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
        expect((yield* storedOf(connection)).texts).toEqual(["hello 1"])
      })
    )

    for (const [what, request] of [
      ["without a signature", { body: signed([]).body }],
      ["with another secret's signature", signed([about(null, hello("1"))], "other")],
      ["with one byte altered", { ...signed([about(null, hello("1"))]), body: " " }],
      ["that are not JSON, without a signature", { body: "{" }]
    ] as const) {
      it.effect(`${what} are refused, and nothing is stored`, () =>
        Effect.gen(function* () {
          const [connection] = yield* connectionsWith({})
          const refusal = yield* Effect.flip(ask(connection.id, request))
          expect(refusal).toMatchObject({ code: "unauthenticated" })
          expect(yield* storedOf(connection)).toEqual({ texts: [], unknown: [] })
        }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
      )
    }

    for (const [what, body] of [
      ["not JSON", "{"],
      ["of another shape", `{"account":null}`],
      ["empty", ""]
    ] as const) {
      it.effect(`that are signed but ${what} are refused with bad_request`, () =>
        Effect.gen(function* () {
          const [connection] = yield* connectionsWith({})
          const headers = { signature: vendorSignature("secret", body) }
          const refusal = yield* Effect.flip(ask(connection.id, { body, headers }))
          expect(refusal).toMatchObject({ code: "bad_request" })
        }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
      )
    }

    it.effect("to an inactive connection are stored", () =>
      Effect.gen(function* () {
        const connections = yield* connectionsWith({ status: "paused" }, { status: "disconnected" })
        for (const connection of connections) {
          expect((yield* ask(connection.id, signed([about(null, hello("1"))]))).status).toBe(200)
          expect((yield* storedOf(connection)).texts).toEqual(["hello 1"])
        }
      })
    )

    it.effect("to a suspended workspace are stored", () =>
      Effect.gen(function* () {
        const [connection] = yield* connectionsWith({})
        const key = { id: connection.workspaceId }
        yield* (yield* Storage).commit(
          changes(key.id, { expects: [expectRow("workspaces", key)], sets: [set("workspaces", key, suspended)] })
        )
        expect((yield* ask(connection.id, signed([about(null, hello("1"))]))).status).toBe(200)
        expect((yield* storedOf(connection)).texts).toEqual(["hello 1"])
      })
    )

    it.effect("about another account go to its connection if that one verifies the signature", () =>
      Effect.gen(function* () {
        const [requests, other] = yield* connectionsWith({}, { config: { account: "other" } })
        yield* ask(
          requests.id,
          signed([about("other", hello("1")), about("own", hello("2")), about("other", hello("3"))])
        )
        expect(yield* storedOf(requests)).toEqual({ texts: ["hello 2"], unknown: [] })
        expect(yield* storedOf(other)).toEqual({ texts: ["hello 1", "hello 3"], unknown: [] })
      })
    )

    it.effect("about an unknown account are stored as unknown events", () =>
      Effect.gen(function* () {
        const [requests, secretive, elsewhere] = yield* connectionsWith(
          {},
          { config: { account: "secretive" }, credentials: vendorSecret("another") },
          { config: { account: "elsewhere" }, provider: "gone" }
        )
        const [foreign] = yield* connectionsWith({ config: { account: "foreign" } })
        const accounts = ["nobody", "secretive", "elsewhere", "foreign"]
        yield* ask(requests.id, signed(accounts.map((account) => about(account, hello(account)))))
        const { texts, unknown } = yield* storedOf(requests)
        expect(texts).toEqual([])
        expect(unknown.map(({ kind }) => kind)).toEqual(accounts.map(() => "message"))
        for (const account of accounts) {
          expect(unknown.filter(({ raw }) => raw.includes(`hello ${account}`))).toHaveLength(1)
        }
        for (const other of [secretive, elsewhere, foreign]) {
          expect(yield* storedOf(other)).toEqual({ texts: [], unknown: [] })
        }
      })
    )

    it.effect("about an account of two connections go to the active one", () =>
      Effect.gen(function* () {
        const config = { account: "other" }
        const [requests, old, active] = yield* connectionsWith({}, { config, status: "disconnected" }, { config })
        yield* ask(requests.id, signed([about("other", hello("1"))]))
        expect((yield* storedOf(old)).texts).toEqual([])
        expect((yield* storedOf(active)).texts).toEqual(["hello 1"])
      })
    )

    it.effect("that verify the URL are answered if the provider accepts the token", () =>
      Effect.gen(function* () {
        const [connection] = yield* connectionsWith({})
        const check = (token: string) => ask(connection.id, { method: "GET", query: { token, challenge: "42" } })
        const answer = yield* check("secret")
        expect([answer.status, answer.body, answer.headers["content-type"]]).toEqual([
          200,
          "42",
          "text/plain; charset=utf-8"
        ])
        const logged: Array<string> = []
        const logger = Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void logged.push(String(message)))
        )
        const refused = Effect.provide(Effect.flip(check("guess")), logger)
        expect(yield* refused).toMatchObject({ code: "forbidden" })
        expect(logged).toEqual([expect.stringContaining(`connection ${connection.id} asks for the check of its URL`)])
      })
    )

    it.effect("have the provider's body limit, for vendors and customers", () =>
      Effect.gen(function* () {
        const [vendor, server] = yield* connectionsWith({}, { channel: "webchat", provider: "server" })
        const hooks = yield* ProviderHooks
        expect((yield* hooks.at(vendor.id, "")).bodyLimit).toBe(100_000)
        expect((yield* hooks.at(server.id, "/messages")).bodyLimit).toBe(1_000)
        expect((yield* hooks.at(server.id, "/files")).bodyLimit).toBe(2_000)
      })
    )

    it.effect("to unknown connections or paths fail with not_found", () =>
      Effect.gen(function* () {
        const [connection, gone] = yield* connectionsWith({}, { provider: "gone" })
        for (const [id, path] of [
          ["0190a1b2-0000-7000-8000-0000000000ff", ""],
          ["no-id", ""],
          [gone.id, ""],
          [connection.id, "/below"],
          [connection.id, "/"]
        ] as const) {
          expect(yield* Effect.flip(ask(id, { path }))).toMatchObject({ code: "not_found" })
        }
        expect((yield* ask(connection.id.toUpperCase(), signed([]))).status).toBe(200)
      })
    )
  })
}
