import { Schema } from "effect"
import { errorCodes } from "../errors/Catalogue.js"
import type { Instant } from "../Instant.js"
import type { Message, Receipt } from "../messages/Message.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { type Job, newJob } from "../worker/Job.js"

const Payload = Schema.Struct({
  receipt: Schema.Struct({
    status: Schema.Literal("sent", "delivered", "read", "failed"),
    at: Schema.Number,
    error: Schema.NullOr(Schema.Struct({ code: Schema.Literal(...errorCodes), message: Schema.String }))
  })
})
const decode = Schema.decodeUnknownSync(Payload)

/** A receipt that its provider foretells with the acceptance, as the job of the lane `receipts` that brings it at its time. */
export const foretoldJob = (
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

/** The receipt that a {@link foretoldJob} brings; a defect where it brings none. */
export const foretoldReceipt = ({ payload }: Pick<Job, "payload">): Receipt => decode(payload).receipt
