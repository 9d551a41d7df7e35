import { describe, it } from "@effect/vitest"
import type { ChannelFixture } from "./ChannelFixture.js"
import { channelCases } from "./channelCases.js"

/** Timeout of a case on a slow machine, in ms. */
const timeout = 60_000

/**
 * The contract of every channel provider (docs/reference/provider-contract.md#the-provider-contract-kit) as a vitest
 * suite. Cases for features that the channel lacks are skipped, with the reason in the test's name.
 */
export const channelContract = <Vendor>(fixture: ChannelFixture<Vendor>): void => {
  describe(`the channel contract of ${fixture.name}`, () => {
    for (const { name, lacks, run } of channelCases(fixture)) {
      if (lacks === null) it.scopedLive(name, () => run, timeout)
      else it.skip(`${name} (${lacks})`, () => {})
    }
  })
}
