import { Schema } from "effect"
import { oneOf } from "../../kernel/input/Fields.js"
import { listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { field } from "../../kernel/input/wire.js"
import type { BotSession } from "../../model/BotSession.js"

/** The query of `GET /bots/{id}/sessions`. */
export const BotSessionListQuery = Schema.Struct({
  ...listFields,
  status: field(queryFilter(oneOf<BotSession["status"]>(["active", "handed_off", "completed"])), {
    description: "Only those with this status."
  })
})
export type BotSessionListQuery = typeof BotSessionListQuery.Type
