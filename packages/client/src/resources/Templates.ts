import type { NumberedPage } from "../Answer.js"
import type { RequestOptions } from "../ClientOptions.js"
import type { Template, TemplateQuery } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { eachRow } from "./lists.js"

/** Message templates (spec, Template). */
export interface Templates {
  /** One page of `GET /templates`, by name: those that can be sent, unless `include_unapproved`. */
  readonly list: (query?: TemplateQuery, options?: RequestOptions) => Promise<NumberedPage<Template>>
  /** Every template that fits; asks for 100 at a time unless `per_page` says otherwise. */
  readonly listAll: (query?: TemplateQuery, options?: RequestOptions) => AsyncGenerator<Template, void, undefined>
}

export const templates = (call: Call): Templates => ({
  list: (query = {}, options = {}) => call.get("/templates", query, options),
  listAll: (query = {}, options = {}) => eachRow(call, "/templates", { per_page: 100, ...query }, options)
})
