import type { Effect, Either } from "effect"
import type { LRUCache } from "lru-cache"
import type { Refusal } from "../../../errors/Refusal.js"
import { exactDataOf } from "../../../kernel/input/exactNumbers.js"
import type { CreateLead } from "../../../model/Action.js"
import type { Application } from "../../../model/Application.js"
import type { Contact } from "../../../model/Contact.js"
import type { Instant } from "../../../model/Instant.js"
import type { Run } from "../../../model/Run.js"
import type { Definition } from "../../../model/Workflow.js"
import type { Workspace } from "../../../model/Workspace.js"
import type { Parts } from "../../../ports/Changes.js"
import type { ChannelProviders } from "../../../ports/ChannelProvider.js"
import type { Entitlements } from "../../../ports/Entitlements.js"
import type { Ids } from "../../../ports/Ids.js"
import type { ReadError, Storage } from "../../../ports/Storage.js"
import type { PlaceholderValues } from "../../../resources/contacts/placeholders.js"
import type { Subscribers } from "../../../resources/events/Outbox.js"
import type { UrlProblem } from "../../../resources/messages/readContent.js"

/** What all actions of a run may use. */
export interface RunScope {
  readonly run: Run
  readonly workspace: Workspace
  /** The application whose event started the run. */
  readonly application: Application
  /** With the changes of earlier actions. */
  readonly contact: Contact
  readonly subscribers: Subscribers
}

/** The result of an action. */
export interface ActionResult {
  readonly parts: ReadonlyArray<Parts>
  /** An English text that says what the action did. */
  readonly detail: string
  /** The contact after the action, if it changed. */
  readonly contact?: Contact
  /** The message that the action queued. */
  readonly messageId?: string
  /** The lead that it created. */
  readonly leadId?: string
  /** Why the message does not reach the status that the action waits for. Absent if it may. */
  readonly unreachable?: string
  /** Whether later actions need a new read. */
  readonly rereads?: boolean
}

/** Services that executing a run needs. */
export interface RunServices {
  readonly storage: Storage
  readonly providers: ChannelProviders
  readonly entitlements: Entitlements
  readonly runsPerContactAndHour: number
  /** Undefined: this host cannot fetch files. */
  readonly urlProblem: UrlProblem | undefined
  /** Cache: the contact of an address. */
  readonly recipientCache: LRUCache<string, string>
  /** Cache: a lead in a stage, by the stage as {@link CreateLead} names it. */
  readonly stageLeadCache: LRUCache<string, string>
  /** Cache by the id of the workflow version; a version never changes. */
  readonly definitions: LRUCache<string, Definition>
}

/** The rule of an action with its world loaded. Fails with the refusal for which the action fails. */
export type Prepared = (scope: RunScope, now: Instant, ids: Ids) => Either.Either<ActionResult, Refusal>

/**
 * Loads the world of an action. `scope`: before the actions that are decided in the same commit. Fails with a refusal
 * that a later try may not meet.
 */
export type Prepare<A> = (
  services: RunServices,
  scope: RunScope,
  action: A
) => Effect.Effect<Prepared, Refusal | ReadError>

/** The values of placeholders in a run. */
export const valuesOf = ({ contact, run }: Pick<RunScope, "contact" | "run">): PlaceholderValues => ({
  event: run.eventName,
  data: exactDataOf(run),
  applicationId: run.applicationId,
  contact
})
