import { Schema } from "effect"
import type { BotSession } from "../../bots/BotSession.js"
import { oneOf } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"

/** The query of `GET /bots/{id}/sessions`. */
export const BotSessionListQuery = Schema.Struct({
  ...listFields,
  status: queryFilter(oneOf<BotSession["status"]>(["active", "handed_off", "completed"]))
})
export type BotSessionListQuery = typeof BotSessionListQuery.Type
