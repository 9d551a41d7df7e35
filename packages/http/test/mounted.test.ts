import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Incoming, Interpreter } from "../src/index.js"
import { mounted } from "../src/index.js"

/** What an interpreter gets to see of a request below `/messaging`. */
const seen = (incoming: Pick<Incoming, "url" | "base">) => {
  const requests: Array<Incoming> = []
  const interpreter: Interpreter = {
    answer: (request) => {
      requests.push(request)
      return Effect.never
    },
    answerUnreadable: () => Effect.never
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

describe("an interface that is mounted", () => {
  for (const [what, incoming] of [
    ["takes its path off a URL", { url: "/messaging/api/v1/contacts?page=2" }],
    ["takes its path off a whole URL", { url: "https://acme.example/messaging/api/v1/contacts?page=2" }],
    ["leaves a URL alone whose path was taken off", { url: "/api/v1/contacts?page=2" }],
    [
      "leaves a URL alone whose path was taken off, and whose base says so",
      { url: "/api/v1/contacts?page=2", base: "http://acme.example/messaging" }
    ]
  ] as const) {
    it(what, () => {
      expect(seen(incoming)).toEqual({ url: "/api/v1/contacts?page=2", base: "http://acme.example/messaging" })
    })
  }

  it("is part of links behind TLS", () => {
    expect(seen({ url: "https://acme.example/messaging/x", base: "https://acme.example" })).toEqual({
      url: "/x",
      base: "https://acme.example/messaging"
    })
  })

  it("is no prefix of a longer name", () => {
    expect(seen({ url: "/messagings/api" })?.url).toBe("/messagings/api")
  })
})
