import { expect, it } from "@effect/vitest"
import type { ChannelProvider } from "@parley/core"
import { Effect, Exit } from "effect"
import { courierFixture } from "../../../docs/examples/write-a-provider/test/courierFixture.js"
import { isLacking } from "../src/channels/ContractCase.js"
import { channelCases, VendorEvent } from "../src/channels/index.js"
import { breaks } from "./brokenProviders.js"

const timeout = 60_000

/** The names of the cases that fail for a provider derived from the correct one. */
const failedBy = (broken: (provider: ChannelProvider) => ChannelProvider) => {
  const cases = channelCases({ ...courierFixture, provider: (vendor) => broken(courierFixture.provider(vendor)) })
  return Effect.map(
    Effect.forEach(
      cases,
      ({ name, run }) => Effect.map(Effect.exit(Effect.scoped(run)), (exit) => (Exit.isSuccess(exit) ? [] : [name])),
      { concurrency: 4 }
    ),
    (names) => names.flat()
  )
}

it.live(
  "passes a correct provider",
  () =>
    Effect.map(
      failedBy((provider) => provider),
      (names) => expect(names).toEqual([])
    ),
  timeout
)

for (const { broken, name, noticed } of breaks) {
  it.live(
    `detects a provider that ${name}`,
    () => Effect.map(failedBy(broken), (names) => expect([...names].sort()).toEqual([...noticed].sort())),
    timeout
  )
}

it.live(
  "detects a provider that takes what was written elsewhere for a customer's message, and stores no news",
  () => {
    const { webhook } = courierFixture
    if (isLacking(webhook)) throw new Error("the courier has a webhook")
    const echo = { what: "a text of the app", type: "text", body: "Hi" } as const
    const asMessage = (event: VendorEvent) =>
      event._tag === "Action" ? VendorEvent.Message({ ...event, text: echo.body, name: "Ada" }) : event
    const cases = channelCases({
      ...courierFixture,
      webhook: {
        ...webhook,
        echoes: [echo],
        news: ["a restriction"],
        request: (account, events, layout) => webhook.request(account, events.map(asMessage), layout)
      }
    })
    const about = cases.filter(({ name }) => /elsewhere|news/.test(name))
    return Effect.map(
      Effect.forEach(about, ({ name, run }) =>
        Effect.map(Effect.exit(Effect.scoped(run)), (exit) => [name, exit._tag])
      ),
      (ran) =>
        expect(ran).toEqual([
          ["reports a text of the app as written elsewhere", "Failure"],
          ["mirrors every message that was written elsewhere, once", "Failure"],
          ["reports news of the account as a notice, equal when it is delivered again", "Failure"]
        ])
    )
  },
  timeout
)

it("names each case once, and gives a reason for skipped ones", () => {
  const cases = channelCases(courierFixture)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  expect(cases.filter(({ lacks }) => lacks === "")).toEqual([])
  expect(cases.flatMap(({ lacks, name }) => (lacks === null ? [] : [`${name}: ${lacks}`]))).toContain(
    "sends a template once: Courier has no templates"
  )
})
