import { CheckOutcome } from "@parley/core"
import { Effect, Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { EmailConfig, email } from "../src/index.js"
import { accountAt, bakery, mailServers } from "./accounts.js"

const reads = (config: { readonly [key: string]: unknown }) =>
  Either.isRight(Schema.decodeUnknownEither(EmailConfig)({ smtp: { host: "localhost" }, ...config }))

describe("the return path", () => {
  it("has one place for the signed id, before the @, with room for it", () => {
    for (const return_path of [
      "hello+*@bakery.example",
      "*@bounces.bakery.example",
      "b-*@x.example",
      "*.b@x.example"
    ]) {
      expect(reads({ return_path }), return_path).toBe(true)
    }
    const long = "a".repeat(21)
    expect(reads({ return_path: `${long}+*@bakery.example` })).toBe(true)
    expect(reads({ return_path: `${long}a+*@bakery.example` })).toBe(false)
    for (const return_path of [
      "",
      "*",
      "hello@bakery.example",
      "hello+*+*@bakery.example",
      "hello@*.example",
      "a+*@b@c.example",
      "Hello <hello+*@bakery.example>",
      "hello+*@bakery.example\r\nDATA"
    ]) {
      expect(reads({ return_path }), return_path).toBe(false)
    }
  })
})

describe("lists and forms", () => {
  it("are addresses, at most 20", () => {
    const named = (count: number) => Array.from({ length: count }, (_, at) => `list-${at}@bakery.example`)
    for (const setting of ["lists", "forms"]) {
      for (const addresses of [[], named(20)]) expect(reads({ [setting]: addresses })).toBe(true)
      for (const other of [named(21), ["x"], "a@b.example", [1]]) expect(reads({ [setting]: other })).toBe(false)
    }
  })
})

describe("the check of a connection for marketing", () => {
  it("says why mails have no one-click unsubscribe", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { connection, credentials } = accountAt(bakery, yield* mailServers(bakery), { marketing: true })
          const { check = () => Effect.die("has a check") } = email()
          const detail = (marketing: boolean, publicUrl?: string | null) =>
            Effect.map(
              check({ ...connection, config: { ...connection.config, marketing } }, credentials, publicUrl),
              (outcome) => (CheckOutcome.$is("Working")(outcome) ? outcome.detail : outcome.problem)
            )
          expect(yield* detail(true, "https://parley.example")).toMatch(/ Marketing mail has one-click unsubscribe\.$/)
          for (const publicUrl of [undefined, null, "http://parley.example"]) {
            expect(yield* detail(true, publicUrl)).toContain("no one-click unsubscribe: PARLEY_PUBLIC_URL")
          }
          expect(yield* detail(false, null)).not.toContain("unsubscribe")
        })
      )
    ))
})
