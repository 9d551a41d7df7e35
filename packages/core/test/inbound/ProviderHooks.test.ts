import { expect, layer } from "@effect/vitest"
import {
  databases,
  scriptedServer,
  scriptedVendor,
  vendorMessage,
  vendorSecret,
  vendorSignature
} from "@parley/testkit"
import { Effect, Logger, LogLevel } from "effect"
import type { InboundEvent } from "../../src/inbound/InboundEvent.js"
import { ProviderHooks } from "../../src/inbound/ProviderHooks.js"
import { changes, expect as expectRow, set } from "../../src/ports/Changes.js"
import { Storage } from "../../src/ports/Storage.js"
import { ask, connectionsWith, storedOf, vendorEngine } from "../channels/vendorEngine.js"

/** A request as the vendor signs it. */
const signed = (told: unknown, secret = "secret") => {
  const body = JSON.stringify(told)
  return { body, headers: { signature: vendorSignature(secret, body) } }
}
const about = (account: string | null, ...events: ReadonlyArray<InboundEvent>) => ({ account, events })
const suspended = { status: "suspended" as const }
const hello = (id: string, from = "ada") => vendorMessage(id, from, `hello ${id}`)

const server = { ...scriptedServer(() => Effect.dieMessage("nobody asks")), bodyLimit: 1_000 }

for (const [name, storage] of databases) {
  const live = vendorEngine(storage, [scriptedVendor, server])
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a vendor's requests on ${name}`, (it) => {
    it.effect("are stored before they are answered, all of a batch", () =>
      Effect.gen(function* () {
        const [connection] = yield* connectionsWith({})
        const told = [about(null, hello("1"), hello("2", "zoe")), about("own", hello("3"))]
        const answer = yield* ask(connection.id, signed(told))
        expect([answer.status, answer.body]).toEqual([200, ""])
        expect((yield* storedOf(connection)).texts).toEqual(["hello 1", "hello 2", "hello 3"])
      })
    )

    it.effect("that come again are answered again, and stored once", () =>
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
      ["that are no JSON, unsigned", { body: "{" }]
    ] as const) {
      it.effect(`${what} are refused, and nothing is stored`, () =>
        Effect.gen(function* () {
          const [connection] = yield* connectionsWith({})
          const refusal = yield* Effect.flip(ask(connection.id, request))
          expect(refusal).toMatchObject({ code: "unauthenticated" })
          expect(yield* storedOf(connection)).toEqual({ texts: [], unknown: [] })
        })
      )
    }

    for (const [what, body] of [
      ["no JSON", "{"],
      ["of another shape", `{"account":null}`],
      ["empty", ""]
    ] as const) {
      it.effect(`that are signed but ${what} are not understood`, () =>
        Effect.gen(function* () {
          const [connection] = yield* connectionsWith({})
          const headers = { signature: vendorSignature("secret", body) }
          const refusal = yield* Effect.flip(ask(connection.id, { body, headers }))
          expect(refusal).toMatchObject({ code: "bad_request" })
        }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
      )
    }

    it.effect("to a connection that is not active are stored all the same", () =>
      Effect.gen(function* () {
        const connections = yield* connectionsWith({ status: "paused" }, { status: "disconnected" })
        for (const connection of connections) {
          expect((yield* ask(connection.id, signed([about(null, hello("1"))]))).status).toBe(200)
          expect((yield* storedOf(connection)).texts).toEqual(["hello 1"])
        }
      })
    )

    it.effect("to a workspace that is suspended are stored all the same", () =>
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

    it.effect("about another account go to its connection, if that knows the signature", () =>
      Effect.gen(function* () {
        const [asked, other] = yield* connectionsWith({}, { config: { account: "other" } })
        yield* ask(asked.id, signed([about("other", hello("1")), about("own", hello("2")), about("other", hello("3"))]))
        expect(yield* storedOf(asked)).toEqual({ texts: ["hello 2"], unknown: [] })
        expect(yield* storedOf(other)).toEqual({ texts: ["hello 1", "hello 3"], unknown: [] })
      })
    )

    it.effect("about another account are kept as they came where nobody has it", () =>
      Effect.gen(function* () {
        const [asked, secretive, elsewhere] = yield* connectionsWith(
          {},
          { config: { account: "secretive" }, credentials: vendorSecret("another") },
          { config: { account: "elsewhere" }, provider: "gone" }
        )
        const [foreign] = yield* connectionsWith({ config: { account: "foreign" } })
        const accounts = ["nobody", "secretive", "elsewhere", "foreign"]
        yield* ask(asked.id, signed(accounts.map((account) => about(account, hello(account)))))
        const { texts, unknown } = yield* storedOf(asked)
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

    it.effect("about an account that two connections have go to the active one", () =>
      Effect.gen(function* () {
        const config = { account: "other" }
        const [asked, old, active] = yield* connectionsWith({}, { config, status: "disconnected" }, { config })
        yield* ask(asked.id, signed([about("other", hello("1"))]))
        expect((yield* storedOf(old)).texts).toEqual([])
        expect((yield* storedOf(active)).texts).toEqual(["hello 1"])
      })
    )

    it.effect("that check the URL are answered where the provider agrees", () =>
      Effect.gen(function* () {
        const [connection] = yield* connectionsWith({})
        const check = (token: string) => ask(connection.id, { method: "GET", query: { token, challenge: "42" } })
        const answer = yield* check("secret")
        expect([answer.status, answer.body, answer.headers["content-type"]]).toEqual([
          200,
          "42",
          "text/plain; charset=utf-8"
        ])
        expect(yield* Effect.flip(check("guess"))).toMatchObject({ code: "forbidden" })
      })
    )

    it.effect("are as long as the provider says at most, be they a vendor's or a customer's", () =>
      Effect.gen(function* () {
        const [vendor, server] = yield* connectionsWith({}, { channel: "webchat", provider: "server" })
        const hooks = yield* ProviderHooks
        expect((yield* hooks.at(vendor.id, "")).bodyLimit).toBe(100_000)
        expect((yield* hooks.at(server.id, "/messages")).bodyLimit).toBe(1_000)
      })
    )

    it.effect("that lead nowhere are not found", () =>
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
