import { Either } from "effect"
import type { Decision } from "../../kernel/Decider.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Template } from "../../model/Template.js"
import { changes, type Parts, row } from "../../ports/Changes.js"
import type { ProviderTemplate } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import { changeTemplate } from "./changeTemplate.js"

/** Number of created and updated templates. */
export interface TemplateSyncResult {
  readonly created: number
  readonly updated: number
}

/**
 * Applies the vendor's templates: creates new ones, and updates body, category and status of known ones. Templates that
 * the vendor does not list stay unchanged. `present` are the templates of the workspace on the connection's channel.
 */
export const syncTemplates = (
  present: ReadonlyArray<Template>,
  connection: Connection,
  vendorTemplates: ReadonlyArray<ProviderTemplate>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<TemplateSyncResult>, never> => {
  const { channel, workspaceId } = connection
  const keyOf = ({ language, name }: ProviderTemplate) => `${language} ${name}`
  const known = new Map(present.map((template) => [keyOf(template), template]))
  const created: Array<Parts> = []
  const updated: Array<Parts> = []
  // If the vendor lists a template twice, the last entry wins.
  for (const template of new Map(vendorTemplates.map((one) => [keyOf(one), one])).values()) {
    const { body, category, language, name, parts = null, status } = template
    const mine = known.get(keyOf(template))
    if (mine === undefined) {
      const made: Template = {
        id: ids.next(now),
        workspaceId,
        channel,
        name,
        language,
        category,
        body,
        parts,
        status,
        createdAt: now,
        version: 1
      }
      created.push({ claims: [row("templates", made)] })
    } else {
      const changed = changeTemplate(mine, { body, category, parts, status }).changes
      if (changed !== null) updated.push(changed)
    }
  }
  const parts = [...created, ...updated]
  return Either.right({
    changes: parts.length === 0 ? null : changes(workspaceId, ...parts),
    result: { created: created.length, updated: updated.length }
  })
}
