import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** A bot's dialogue on the wire of the administration (decisions.md §14). */
export const BotSessionResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  botId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("bot_id")),
  botName: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("bot_name")),
  conversationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("conversation_id")),
  contactId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("contact_id")),
  connectionId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("connection_id")),
  applicationId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("application_id")),
  workflowRunId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("workflow_run_id")),
  status: Schema.Literal("active", "handed_off", "completed"),
  outcome: Schema.NullOr(Schema.Literal("finished", "timed_out", "stopped", "failed")),
  step: Schema.NullOr(Schema.String),
  tries: Schema.Number,
  answers: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean) }),
  startedAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("started_at")),
  expiresAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("expires_at")),
  endedAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("ended_at"))
}).annotations({ identifier: "BotSession" })
