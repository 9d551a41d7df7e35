import { Effect, Schema } from "effect"
import type { AdminClient } from "../AdminClient.js"
import type { CommandFailed } from "../CommandFailed.js"
import type { CustomField } from "./columns.js"

const CustomFields = Schema.Array(Schema.Struct({ key: Schema.String, type: Schema.String }))

/** The workspace's custom fields. */
export const customFields = (
  client: AdminClient,
  workspace_id: string
): Effect.Effect<ReadonlyArray<CustomField>, CommandFailed> =>
  Effect.map(client.list("/custom-fields", { workspace_id }), ({ rows }) =>
    Schema.decodeUnknownSync(CustomFields)(rows)
  )
