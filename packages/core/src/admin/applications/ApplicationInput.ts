import { Schema } from "effect"
import type { Application, Mode } from "../../access/Application.js"
import { scopes } from "../../access/Scope.js"
import { draft } from "../../input/Draft.js"
import { listOf, oneOf, optional, requiredText, uuid, Words } from "../../input/Fields.js"
import { given, unchangeable } from "../../input/Patch.js"

const limit = Schema.Number.pipe(
  Schema.filter((value) => Number.isSafeInteger(value) && value > 0, {
    jsonSchema: { type: "integer", minimum: 1 },
    [Words]: "must be a positive whole number"
  })
)

/** Limits in calls a minute; one that is left out stays as it is, or is the default. */
const Limits = Schema.Struct({
  requestsPerMinute: given(limit).pipe(Schema.fromKey("requests_per_minute")),
  sendsPerMinute: given(limit).pipe(Schema.fromKey("sends_per_minute"))
})
const scopeList = listOf(oneOf(scopes), 100)
const connectionIds = listOf(uuid, 1_000)

/** The body of `POST /applications` (decisions.md §14). */
export const ApplicationInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  name: requiredText(255),
  mode: oneOf<Mode>(["live", "test"]),
  scopes: scopeList,
  connectionIds: optional(connectionIds).pipe(Schema.fromKey("connection_ids")),
  limits: given(Limits)
}).annotations({ identifier: "ApplicationInput" })
export type ApplicationInput = typeof ApplicationInput.Type

/** The body of `PATCH /applications/{id}`. */
export const ApplicationPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  mode: unchangeable,
  name: given(requiredText(255)),
  scopes: given(scopeList),
  connectionIds: given(connectionIds).pipe(Schema.fromKey("connection_ids")),
  limits: given(Limits),
  status: given(oneOf<Application["status"]>(["active", "suspended"]))
}).annotations({ identifier: "ApplicationPatch" })
export type ApplicationPatch = typeof ApplicationPatch.Type

export const applicationDraft = draft(ApplicationInput)
export const applicationPatchDraft = draft(ApplicationPatch)
