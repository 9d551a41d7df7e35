import { describe, it } from "@effect/vitest"
import type { ChannelFixture } from "./ChannelFixture.js"
import { channelCases } from "./channelCases.js"

/** No case takes longer, however slow the machine. In ms. */
const patience = 60_000

/**
 * What every channel provider must do (channels.md, The provider contract kit), as a suite of vitest. What the fixture says
 * that the channel lacks is skipped, with the reason in the test's name.
 */
export const channelContract = <Vendor>(fixture: ChannelFixture<Vendor>): void => {
  describe(`the channel contract of ${fixture.name}`, () => {
    for (const { name, lacks, run } of channelCases(fixture)) {
      if (lacks === null) it.scopedLive(name, () => run, patience)
      else it.skip(`${name} (${lacks})`, () => {})
    }
  })
}
