import { Schema } from "effect"
import { errorCodes } from "../../errors/Catalogue.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, newJob } from "../../model/Job.js"
import type { Message, Receipt } from "../../model/Message.js"
import { type RowOf, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"

const text = Schema.NullOr(Schema.String)
const Billing = Schema.Struct({
  pricing: Schema.optionalWith(
    Schema.NullOr(
      Schema.Struct({
        billable: Schema.NullOr(Schema.Boolean),
        category: text,
        model: text,
        price: text,
        currency: text
      })
    ),
    { exact: true }
  ),
  segments: Schema.optionalWith(Schema.NullOr(Schema.Number), { exact: true })
})

const Payload = Schema.Struct({
  receipt: Schema.Struct({
    status: Schema.Literal("sent", "delivered", "read", "failed"),
    at: Schema.Number,
    error: Schema.NullOr(Schema.Struct({ code: Schema.Literal(...errorCodes), message: Schema.String })),
    billing: Schema.optionalWith(Billing, { exact: true })
  })
})
const decode = Schema.decodeUnknownSync(Payload)

/** The job of the lane `receipts` that applies a scheduled receipt, which the provider returned with its acceptance. */
export const scheduledReceiptJob = (
  { connectionId, workspaceId }: Pick<Message, "connectionId" | "workspaceId">,
  providerMessageId: string,
  receipt: Receipt,
  now: Instant,
  ids: Ids
): RowOf<"jobs"> =>
  row(
    "jobs",
    newJob({
      id: ids.next(now),
      workspaceId,
      lane: "receipts",
      subject: connectionId,
      reference: providerMessageId,
      payload: { receipt },
      runAt: receipt.at,
      createdAt: now
    })
  )

/** The receipt of a {@link scheduledReceiptJob}. Dies on another payload. */
export const scheduledReceipt = ({ payload }: Pick<Job, "payload">): Receipt => decode(payload).receipt
