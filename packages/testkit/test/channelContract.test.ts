import { expect, it } from "@effect/vitest"
import type { ChannelProvider } from "@parley/core"
import { Effect, Exit } from "effect"
import { courierFixture } from "../../../docs/examples/write-a-provider/test/courierFixture.js"
import { channelCases } from "../src/channels/index.js"
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

it("names each case once, and gives a reason for skipped ones", () => {
  const cases = channelCases(courierFixture)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  expect(cases.filter(({ lacks }) => lacks === "")).toEqual([])
  expect(cases.flatMap(({ lacks, name }) => (lacks === null ? [] : [`${name}: ${lacks}`]))).toContain(
    "sends a template once: Courier has no templates"
  )
})
