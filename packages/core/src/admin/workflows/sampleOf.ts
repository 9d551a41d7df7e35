import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Workspace } from "../../access/Workspace.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Subscribers } from "../../events/Outbox.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { definitionOf } from "../../workflows/definition/DefinitionInput.js"
import { type ContactNamed, contactProblems } from "../../workflows/eventContact.js"
import type { Sample } from "../../workflows/runs/dryRun.js"
import { found } from "../found.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { DryRunInput } from "./WorkflowInput.js"

/** What a dry run may look at before it begins. */
export interface SampleWorld extends ContactNamed {
  readonly workspace: Workspace | undefined
  /** Of the workspace. */
  readonly application: Application | undefined
  readonly subscribers: Subscribers
}

/** What is to be looked at where no workspace is named. */
export const noSample: SampleWorld = {
  workspace: undefined,
  application: undefined,
  subscribers: { endpoints: [], applications: [] },
  contact: undefined,
  address: undefined
}

/** `POST /workflows/dry-run`: whose run is tried, and with what. */
export const sampleOf = (world: SampleWorld, draft: Draft<DryRunInput>): Either.Either<Sample, Refusal> =>
  Either.gen(function* () {
    const { application, contact, subscribers, workspace } = world
    const { applicationId, workspaceId } = draft.value
    const ofNobody = workspaceProblems(workspaceId, workspace)
    const foreign = applicationId !== undefined && application === undefined
    const input = yield* complete(
      draft,
      ofNobody,
      // Of a workspace that is none, nothing more can be said.
      workspace === undefined ? {} : contactProblems(workspace.id, world, draft),
      workspace !== undefined && foreign
        ? { application_id: ["must be the id of an application of this workspace"] }
        : {}
    )
    return {
      scope: {
        workspace: yield* found(workspace),
        application: yield* found(application),
        contact: yield* found(contact),
        subscribers
      },
      definition: definitionOf(input),
      event: { name: input.trigger.event, data: input.data ?? {} }
    }
  })
