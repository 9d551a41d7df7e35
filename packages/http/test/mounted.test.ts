import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Incoming, Interpreter } from "../src/index.js"
import { mounted } from "../src/index.js"

/** What an interpreter receives of a request below `/messaging`. */
const seen = (incoming: Pick<Incoming, "url" | "base">) => {
  const requests: Array<Incoming> = []
  const interpreter: Interpreter = {
    answer: (request) => {
      requests.push(request)
      return Effect.never
    },
    answerUnreadable: () => Effect.never,
    answerTimeout: () => Effect.never
  }
  mounted(interpreter, "/messaging").answer({
    method: "GET",
    headers: { host: "acme.example" },
    peer: null,
    body: () => Effect.succeed(null),
    ...incoming
  })
  return requests.map(({ base, url }) => ({ base, url }))[0]
}

describe("a mounted interface", () => {
  for (const [what, incoming] of [
    ["strips its path from a URL", { url: "/messaging/api/v1/contacts?page=2" }],
    ["strips its path from an absolute URL", { url: "https://acme.example/messaging/api/v1/contacts?page=2" }],
    ["leaves a URL unchanged whose path was stripped", { url: "/api/v1/contacts?page=2" }],
    [
      "leaves a URL unchanged whose base contains the path",
      { url: "/api/v1/contacts?page=2", base: "http://acme.example/messaging" }
    ]
  ] as const) {
    it(what, () => {
      expect(seen(incoming)).toEqual({ url: "/api/v1/contacts?page=2", base: "http://acme.example/messaging" })
    })
  }

  it("appears in links behind TLS", () => {
    expect(seen({ url: "https://acme.example/messaging/x", base: "https://acme.example" })).toEqual({
      url: "/x",
      base: "https://acme.example/messaging"
    })
  })

  it("does not match a longer name", () => {
    expect(seen({ url: "/messagings/api" })?.url).toBe("/messagings/api")
  })
})
