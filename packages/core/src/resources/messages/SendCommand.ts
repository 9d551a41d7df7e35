import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Idempotency } from "../access/Answer.js"
import type { SendMessageInput } from "./SendMessageInput.js"

/** One `POST /messages`. */
export interface SendCommand {
  readonly decoded: PartialDecode<SendMessageInput>
  readonly idempotency: Idempotency
  /** Echoed in the acknowledgement. */
  readonly requestId: string
}
