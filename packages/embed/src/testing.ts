import type { PlainTestOptions, TestParley } from "@parley/testing"
import * as Testing from "@parley/testing"
import type { Channel } from "./Channel.js"

export type {
  PostedAnswer,
  PostedRequest,
  ReceivedMessage,
  SentMessage,
  TestFile,
  TestParley,
  TimeSpan
} from "@parley/testing"

/** Options of a test's engine: those of `createParley` but its storage, and these. */
export interface TestParleyOptions extends PlainTestOptions {
  /** Default: those of the sandbox. */
  readonly channels?: ReadonlyArray<Channel> | undefined
}

/**
 * An engine for one test: in memory, without native code or network, with a clock that stands still until
 * {@link TestParley.advance}, and with ids that are the same in every run. `POST /messages` does not wait for the
 * verdict of the provider unless `verdictWaitMs` is given.
 *
 * @example
 * ```ts
 * await using parley = await createTestParley()
 * const { applications } = await parley.setup({ … })
 * await parley.as(applications.shop.id).messages.send({ channel: "whatsapp", to, type: "text", message: { body: "Hello"
 * } }) await parley.advance("1 second")
 * expect(parley.sent).toMatchObject([{ to, body: "Hello" }])
 * ```
 */
export const createTestParley = Testing.createTestParley as unknown as (
  options?: TestParleyOptions
) => Promise<TestParley>
