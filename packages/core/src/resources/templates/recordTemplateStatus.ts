import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { InboundEvent } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import type { Template } from "../../model/Template.js"
import { changeTemplate } from "./changeTemplate.js"
import { noAccount } from "./templateAccount.js"

/** What a change of a template's status by its vendor may read. */
export interface TemplateStatusWorld {
  readonly account: string
  /** The templates of the name and language on the channel. */
  readonly templates: ReadonlyArray<Template>
}

/**
 * Takes over the status that a vendor reports, unless it is older than the last
 * (docs/reference/templates.md#templates-of-the-vendor). Fails with `not_found` if the template is unknown.
 */
export const recordTemplateStatus = (
  { account, templates }: TemplateStatusWorld,
  { at, status }: Pick<InboundEvent & { readonly _tag: "TemplateStatus" }, "at" | "status">,
  now: Instant
): Either.Either<Decision<null>, Refusal> => {
  const of = (wanted: string) => templates.find((template) => template.account === wanted)
  const template = of(account) ?? of(noAccount)
  if (template === undefined) {
    return Either.left(refuse("not_found", {}, "There is no template of this name and language."))
  }
  const statusAt = at ?? now
  if (template.statusAt !== null && statusAt < template.statusAt) {
    return Either.right({ changes: null, result: null })
  }
  return Either.right({ changes: changeTemplate(template, { status, statusAt }).changes, result: null })
}
