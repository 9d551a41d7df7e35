import { Either } from "effect"
import type { Decision } from "../../kernel/Decider.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Template } from "../../model/Template.js"
import { changes, type Parts, row } from "../../ports/Changes.js"
import type { ProviderTemplate } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import { changeTemplate } from "./changeTemplate.js"
import { noAccount } from "./templateAccount.js"

/** Number of created and updated templates. */
export interface TemplateSyncResult {
  readonly created: number
  readonly updated: number
}

/** A list of a vendor's templates. */
export interface TemplateList {
  readonly connection: Connection
  /** The account that has them. */
  readonly account: string
  /** When the vendor was asked. */
  readonly askedAt: Instant
}

/**
 * Applies the vendor's templates: creates new ones, and updates body, category and status of those of the account, or
 * of no account, which become the account's. A status that the vendor reported after it was asked stays. `present` are
 * the templates of the workspace on the connection's channel.
 */
export const syncTemplates = (
  present: ReadonlyArray<Template>,
  { account, askedAt, connection }: TemplateList,
  vendorTemplates: ReadonlyArray<ProviderTemplate>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<TemplateSyncResult>, never> => {
  const { channel, workspaceId } = connection
  const of = (wanted: string) =>
    present.filter((template) => template.account === wanted).map((template) => [keyOf(template), template] as const)
  const known = new Map([...of(noAccount), ...of(account)])
  const created: Array<Parts> = []
  const updated: Array<Parts> = []
  // If the vendor lists a template twice, the last entry wins.
  for (const template of new Map(vendorTemplates.map((one) => [keyOf(one), one])).values()) {
    const { body, category, language, name, parts = null, status } = template
    const mine = known.get(keyOf(template))
    if (mine === undefined) {
      if (status === null) continue
      const made: Template = {
        id: ids.next(now),
        workspaceId,
        channel,
        name,
        language,
        account,
        category,
        body,
        parts,
        status,
        statusAt: askedAt,
        createdAt: now,
        version: 1
      }
      created.push({ claims: [row("templates", made)] })
    } else {
      const isNews = status !== null && status !== mine.status && (mine.statusAt ?? 0) <= askedAt
      const values = { account, body, category, parts, ...(isNews ? { status, statusAt: askedAt } : {}) }
      const changed = changeTemplate(mine, values).changes
      if (changed !== null) updated.push(changed)
    }
  }
  const parts = [...created, ...updated]
  return Either.right({
    changes: parts.length === 0 ? null : changes(workspaceId, ...parts),
    result: { created: created.length, updated: updated.length }
  })
}

/**
 * The templates of the account that its list lacks, as it would list them: they were deleted, or changed to what cannot
 * be sent.
 */
export const missingTemplates = (
  present: ReadonlyArray<Template>,
  account: string,
  listed: ReadonlyArray<ProviderTemplate>
): ReadonlyArray<ProviderTemplate> => {
  const keys = new Set(listed.map(keyOf))
  return present
    .filter((template) => template.account === account && !keys.has(keyOf(template)))
    .map((template) => ({ ...template, status: "rejected" }))
}

const keyOf = ({ language, name }: Pick<Template, "language" | "name">): string => `${language} ${name}`
