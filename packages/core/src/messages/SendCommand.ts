import type { Idempotency } from "../access/Answer.js"
import type { Draft } from "../input/Draft.js"
import type { SendMessageInput } from "./SendMessageInput.js"

/** One `POST /messages`. */
export interface SendCommand {
  readonly draft: Draft<SendMessageInput>
  readonly idempotency: Idempotency
  /** Echoed in the acknowledgement. */
  readonly requestId: string
}
