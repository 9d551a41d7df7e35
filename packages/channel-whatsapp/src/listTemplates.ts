import { type ProviderTemplate, ProviderUnavailable } from "@parley/core"
import { type GraphApi, type GraphPage, graphPage } from "@parley/meta-graph"
import { Effect, Option, Schema } from "effect"
import { sendableTemplate } from "./sendableTemplate.js"
import { templateStatus } from "./templateStatus.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readTemplate = Schema.decodeUnknownOption(
  Schema.Struct({
    name: Schema.NonEmptyString,
    language: Schema.NonEmptyString,
    status: Schema.String,
    category: Schema.optional(Schema.String),
    parameter_format: Schema.optional(Schema.String),
    components: Schema.Array(Schema.Unknown)
  })
)

const fields = "name,language,status,category,parameter_format,components"
const pageSize = 100
/** An account has at most 6,000 templates: more pages would be an endless list. */
const maxPages = 100

/** The account's templates that can be sent; none if the account's id is not configured. */
export const listTemplates = (
  graph: GraphApi,
  { config: { business_account_id: account }, credentials }: WhatsAppAccount
): Effect.Effect<ReadonlyArray<ProviderTemplate>, ProviderUnavailable> =>
  Effect.gen(function* () {
    const templates: Array<ProviderTemplate> = []
    if (account === undefined) return templates
    let after: string | null = null
    for (let page = 0; page < maxPages; page++) {
      const query = { fields, limit: String(pageSize), ...(after === null ? {} : { after }) }
      const answer = yield* graph.call(credentials.access_token, { path: `/${account}/message_templates`, query })
      const given: GraphPage = yield* graphPage(answer)
      templates.push(...given.data.flatMap(templateOf))
      after = given.after
      if (after === null) return templates
    }
    return yield* new ProviderUnavailable({ reason: "the list of templates has no end" })
  }).pipe(Effect.mapError(({ reason }) => new ProviderUnavailable({ reason })))

const templateOf = (value: unknown): ReadonlyArray<ProviderTemplate> => {
  const template = Option.getOrNull(readTemplate(value))
  if (template === null) return []
  const { category, components, language, name, parameter_format } = template
  const sendable = sendableTemplate({ category, components, parameterFormat: parameter_format })
  return sendable === null
    ? []
    : [
        {
          name,
          language,
          category: category?.toLowerCase() ?? null,
          ...sendable,
          status: templateStatus(template.status) ?? null
        }
      ]
}
