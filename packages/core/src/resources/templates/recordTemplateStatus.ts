import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { InboundEvent } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import type { Template } from "../../model/Template.js"
import { changes, type Parts } from "../../ports/Changes.js"
import { changeTemplate } from "./changeTemplate.js"
import { noAccount } from "./templateAccount.js"

/** What a change of a template's status by its vendor may read. */
export interface TemplateStatusWorld {
  readonly workspaceId: string
  readonly account: string
  /** The templates of the name and language on the channel. */
  readonly templates: ReadonlyArray<Template>
  /** Fetches the vendor's templates soon; null if the connection cannot. */
  readonly refresh: Parts | null
}

/**
 * Takes over the status that a vendor reports, unless it is older than the last, and fetches the template: its text may
 * have changed too, it is new, or the vendor's clock is behind
 * (docs/reference/templates.md#templates-of-the-vendor). Fails with `not_found` if it is unknown and cannot be fetched.
 */
export const recordTemplateStatus = (
  { account, refresh, templates, workspaceId }: TemplateStatusWorld,
  { at, status }: Pick<InboundEvent & { readonly _tag: "TemplateStatus" }, "at" | "status">,
  now: Instant
): Either.Either<Decision<null>, Refusal> => {
  const of = (wanted: string) => templates.find((template) => template.account === wanted)
  const template = of(account) ?? of(noAccount)
  if (template === undefined) {
    return refresh === null
      ? Either.left(refuse("not_found", {}, "There is no template of this name and language."))
      : Either.right({ changes: changes(workspaceId, refresh), result: null })
  }
  const statusAt = at ?? now
  if (template.statusAt !== null && statusAt < template.statusAt) {
    return Either.right({ changes: refresh && changes(workspaceId, refresh), result: null })
  }
  const changed = changeTemplate(template, { status, statusAt }).changes
  return Either.right({ changes: changed && changes(workspaceId, changed, refresh ?? {}), result: null })
}
