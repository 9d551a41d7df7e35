import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import {
  component,
  connectionId,
  contactId,
  conversationId,
  field,
  ids,
  nullableId,
  wire,
  workspaceId
} from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

/**
 * A bot's dialogue on the wire of the administration
 * (docs/reference/administration.md#workflow-and-bot-administration).
 */
export const BotSessionResource = component(
  "BotSession",
  "A bot's dialogue in a conversation. A conversation has at most one active dialogue.",
  {
    id: ids.botSession,
    workspaceId,
    botId: wire("bot_id", ids.bot),
    botName: wire("bot_name", Schema.String, { examples: ["Qualification"] }),
    conversationId,
    contactId,
    connectionId,
    applicationId: wire("application_id", nullableId, {
      description:
        "Application whose event started the run that started it; only this application receives its events. Null without a run."
    }),
    workflowRunId: wire("workflow_run_id", nullableId, { description: "The run that started it." }),
    status: field(Schema.Literal("active", "handed_off", "completed"), { examples: ["completed"] }),
    outcome: field(Schema.NullOr(Schema.Literal("finished", "timed_out", "stopped", "failed")), {
      description: "Outcome, if it ended without a handover.",
      examples: ["finished"]
    }),
    reason: field(Schema.NullOr(Schema.String), {
      description: "In English: why it failed, was handed off by the host, or ended without its last text. Else null."
    }),
    step: field(Schema.NullOr(Schema.String), { description: "Key of the step that waits for an answer." }),
    tries: field(Schema.Number, { description: "How often the question was asked.", examples: [0] }),
    answers: field(
      Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean) }),
      {
        description: "Collected answers, by the keys of their steps.",
        examples: [{ need: "prices", email: samples.email }]
      }
    ),
    startedAt: wire("started_at", Timestamp),
    expiresAt: wire("expires_at", Timestamp, {
      description: "When it times out without an answer.",
      examples: [Date.parse("2026-05-04T09:00:00.000Z")]
    }),
    endedAt: wire("ended_at", Schema.NullOr(Timestamp), { examples: [Date.parse(samples.read)] })
  }
)
