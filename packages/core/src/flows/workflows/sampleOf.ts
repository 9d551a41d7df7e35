import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import type { Workspace } from "../../model/Workspace.js"
import type { Subscribers } from "../../resources/events/Outbox.js"
import { definitionOf } from "./definition/DefinitionInput.js"
import { contactProblems, type EventContacts } from "./eventContact.js"
import type { Sample } from "./runs/dryRun.js"
import type { DryRunInput } from "./WorkflowInput.js"

/** What a dry run reads first. */
export interface SampleWorld extends EventContacts {
  readonly workspace: Workspace | undefined
  /** The application, if it belongs to the workspace. */
  readonly application: Application | undefined
  readonly subscribers: Subscribers
}

/** The empty world of a request without a workspace. */
export const noSample: SampleWorld = {
  workspace: undefined,
  application: undefined,
  subscribers: { endpoints: [], applications: [] },
  contact: undefined,
  address: undefined
}

/** `POST /workflows/dry-run`: the contact, application and event of the simulated run. */
export const sampleOf = (world: SampleWorld, decoded: PartialDecode<DryRunInput>): Either.Either<Sample, Refusal> =>
  Either.gen(function* () {
    const { application, contact, subscribers, workspace } = world
    const { applicationId, workspaceId } = decoded.value
    const workspaceMissing = workspaceProblems(workspaceId, workspace)
    const foreign = applicationId !== undefined && application === undefined
    const input = yield* complete(
      decoded,
      workspaceMissing,
      // Without a workspace the contact cannot be checked.
      workspace === undefined ? {} : contactProblems(workspace.id, world, decoded),
      workspace !== undefined && foreign
        ? { application_id: ["must be the id of an application of this workspace"] }
        : {}
    )
    return {
      scope: {
        workspace: yield* orNotFound(workspace),
        application: yield* orNotFound(application),
        contact: yield* orNotFound(contact),
        subscribers
      },
      definition: definitionOf(input),
      event: { name: input.trigger.event, data: input.data ?? {} }
    }
  })
