import { Schema } from "effect"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, connectionId, field, nullableId, wire } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"
import { sendingStates } from "./explainSending.js"

/** Where a message is on its way to the provider, on the wire (docs/reference/administration.md#sending). */
export const SendingResource = component(
  "MessageSending",
  "Progress of a message to its provider, with the reason.",
  {
    state: field(Schema.Literal(...sendingStates), { description: "What it waits for, or its outcome." }),
    explanation: field(Schema.String, { description: "For people; its wording may change." }),
    nextAt: wire("next_at", Schema.NullOr(Timestamp), {
      description:
        "Start of the next attempt, or the time at which the message fails without one. Null if neither is known."
    }),
    connectionId,
    jobId: wire("job_id", nullableId, { description: "Its job in the queue; null if it is not queued." }),
    leaseOwner: wire("lease_owner", Schema.NullOr(Schema.String), {
      description: "The process that is handing it over: host, process id and a unique id."
    })
  },
  {
    throttled: {
      state: "throttled",
      explanation:
        "The provider throttles its connection until 2026-05-04T08:31:00.000Z. The next attempt is at 2026-05-04T08:31:02.000Z.",
      next_at: "2026-05-04T08:31:02.000Z",
      connection_id: sampleIds.connection,
      job_id: sampleIds.message,
      lease_owner: null
    }
  }
)
