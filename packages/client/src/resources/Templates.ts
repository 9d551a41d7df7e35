import type { NumberedPage } from "../Answer.js"
import type { RequestOptions } from "../ClientOptions.js"
import type { Template, TemplateQuery } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { eachRow } from "./lists.js"

/** Message templates (docs/reference/templates.md#template-fields). */
export interface Templates {
  /** One page of `GET /templates`, by name. Only templates that can be sent, unless `include_unapproved`. */
  readonly list: (query?: TemplateQuery, options?: RequestOptions) => Promise<NumberedPage<Template>>
  /** Every matching template. Page size: 100 unless `per_page` is given. */
  readonly listAll: (query?: TemplateQuery, options?: RequestOptions) => AsyncGenerator<Template, void, undefined>
}

export const templates = (call: Call): Templates => ({
  list: (query = {}, options = {}) => call.get("/templates", query, options),
  listAll: (query = {}, options = {}) => eachRow(call, "/templates", { per_page: 100, ...query }, options)
})
