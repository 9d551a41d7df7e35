import { Either } from "effect"
import type { Connection } from "../channels/Connection.js"
import type { Decision } from "../Decider.js"
import type { Instant } from "../Instant.js"
import { changes, type Parts, row } from "../ports/Changes.js"
import type { ProviderTemplate } from "../ports/ChannelProvider.js"
import type { Ids } from "../ports/Ids.js"
import { changeTemplate } from "./changeTemplate.js"
import type { Template } from "./Template.js"

/** How many templates were new, and how many had changed. */
export interface Synced {
  readonly created: number
  readonly updated: number
}

/**
 * Takes templates over as the vendor has them: new ones are made, and of known ones the text, the category and the status
 * follow. What was made by hand and is not at the vendor stays as it is. `present` are those of the workspace on the
 * connection's channel.
 */
export const syncTemplates = (
  present: ReadonlyArray<Template>,
  connection: Connection,
  theirs: ReadonlyArray<ProviderTemplate>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Synced>, never> => {
  const { channel, workspaceId } = connection
  const keyOf = ({ language, name }: ProviderTemplate) => `${language} ${name}`
  const known = new Map(present.map((template) => [keyOf(template), template]))
  const created: Array<Parts> = []
  const updated: Array<Parts> = []
  // Of a template that the vendor tells of twice, the last word counts.
  for (const template of new Map(theirs.map((one) => [keyOf(one), one])).values()) {
    const { body, category, language, name, status } = template
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
        status,
        createdAt: now,
        version: 1
      }
      created.push({ claims: [row("templates", made)] })
    } else {
      const changed = changeTemplate(mine, { body, category, status }).changes
      if (changed !== null) updated.push(changed)
    }
  }
  const parts = [...created, ...updated]
  return Either.right({
    changes: parts.length === 0 ? null : changes(workspaceId, ...parts),
    result: { created: created.length, updated: updated.length }
  })
}
