import type { Problems } from "../../errors/Refusal.js"
import { type Channel, type Channels, channelProblem } from "../../model/Channel.js"

/** A problem at `channel` if no provider declares it. Undefined if it is not readable. */
export const channelProblems = (channels: Channels, channel: Channel | undefined): Problems => {
  const problem = channel === undefined ? null : channelProblem(channels, channel)
  return problem === null ? {} : { channel: [problem] }
}
