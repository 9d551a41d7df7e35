import type { Effect, Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Workspace } from "../../access/Workspace.js"
import type { Contact } from "../../contacts/Contact.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Subscribers } from "../../events/Outbox.js"
import type { Hints } from "../../Hints.js"
import type { Instant } from "../../Instant.js"
import type { Parts } from "../../ports/Changes.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"
import type { Entitlements } from "../../ports/Entitlements.js"
import type { Ids } from "../../ports/Ids.js"
import type { ReadError, Storage } from "../../ports/Storage.js"
import type { CreateLead } from "../definition/Action.js"
import type { PlaceholderValues } from "../placeholders.js"
import type { Definition } from "../Workflow.js"
import type { Run } from "./Run.js"

/** What every action of a run may look at. */
export interface RunScope {
  readonly run: Run
  readonly workspace: Workspace
  /** Whose event started the run. */
  readonly application: Application
  /** As the actions before left it. */
  readonly contact: Contact
  readonly subscribers: Subscribers
}

/** What an action came to. */
export interface Carried {
  readonly parts: ReadonlyArray<Parts>
  /** What was done, for a person. */
  readonly detail: string
  /** The contact after it, where it changed. */
  readonly contact?: Contact
  /** The message that it sent. */
  readonly messageId?: string
  /** Whether what later actions look at must be read anew. */
  readonly rereads?: boolean
}

/** What preparing an action needs. */
export interface RunMeans {
  readonly storage: Storage
  readonly providers: ChannelProviders
  readonly entitlements: Entitlements
  readonly runsPerContactAndHour: number
  /** Which contact an address had. */
  readonly contactHints: Hints<string>
  /** A lead that was in a stage a moment ago, by the stage as {@link CreateLead} names it. */
  readonly occupantHints: Hints<string>
  /** By the id of their version, under which they never change. */
  readonly definitions: Hints<Definition>
}

/** An action that has read what it needs: decides, without looking further. A refusal says why it failed. */
export type Prepared = (scope: RunScope, now: Instant, ids: Ids) => Either.Either<Carried, Refusal>

/** Reads what an action needs; `scope` is the one before the actions that are decided together with it. */
export type Prepare<A> = (means: RunMeans, scope: RunScope, action: A) => Effect.Effect<Prepared, ReadError>

/** What the placeholders of a run's text stand for. */
export const valuesOf = ({ contact, run }: Pick<RunScope, "contact" | "run">): PlaceholderValues => ({
  event: run.eventName,
  data: run.data,
  applicationId: run.applicationId,
  contact
})
