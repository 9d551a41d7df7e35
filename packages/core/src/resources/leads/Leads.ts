import { Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { Entitlements } from "../../ports/Entitlements.js"
import { type CommitError, lookup, lookupById, type ReadError, Storage } from "../../ports/Storage.js"
import type { Answer } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import { subscriberLookups } from "../events/Outbox.js"
import { type CreateLead, type CreateLeadWorld, createLead } from "./createLead.js"
import { leadsInStages, resolveStage } from "./stages.js"

/** Creates leads. */
export interface Leads {
  /** `POST /leads`, from the idempotency lookup to the commit (docs/reference/requests.md#order-of-checks). */
  readonly create: (caller: Caller, command: CreateLead) => Effect.Effect<Answer, Refusal | CommitError>
}
export const Leads = Context.GenericTag<Leads>("@parley/core/Leads")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const entitlements = yield* Entitlements
  const { decideAndCommit } = yield* Decider

  const load = (caller: Caller, { decoded, idempotency }: CreateLead): Effect.Effect<CreateLeadWorld, ReadError> =>
    Effect.gen(function* () {
      const { contactId } = decoded.value
      const workspaceId = caller.workspace.id
      const { applications, contacts, endpoints, pipelines, records } = yield* storage.read({
        ...subscriberLookups(workspaceId),
        records: lookup("idempotency", { applicationId: caller.application.id, key: idempotency.key }),
        contacts: lookupById("contacts", contactId),
        pipelines: lookup("pipelines", { workspaceId })
      })
      const pipelineStage = resolveStage(decoded.value, pipelines)
      const present = Either.isLeft(pipelineStage)
        ? []
        : yield* storage.list(leadsInStages(pipelineStage.right.pipeline.id, [pipelineStage.right.stage]))
      return {
        caller,
        record: records[0],
        contact: contacts[0],
        pipelines,
        leadInStage: present[0],
        subscribers: { endpoints, applications }
      }
    })

  return Leads.of({
    create: (caller, command) =>
      decideAndCommit(
        load(caller, command),
        (world, now, ids) => createLead(world, command, now, ids),
        () => entitlements.check(caller.application, "leads.create")
      )
  })
})
