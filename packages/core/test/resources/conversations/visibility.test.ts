import { aMessage, anApplication, aWorkspace, someConnectionId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import type { Application } from "../../../src/model/Application.js"
import type { Scope } from "../../../src/model/Scope.js"
import type { Caller } from "../../../src/resources/access/Caller.js"
import { isVisible, visibleTo } from "../../../src/resources/conversations/visibility.js"

const caller = (parts: Partial<Application> = {}, scopes: ReadonlyArray<Scope> = ["messages.read"]): Caller => ({
  application: anApplication({ id: "mine", connectionIds: [someConnectionId], ...parts }),
  workspace: aWorkspace(),
  scopes,
  credentialId: "c"
})
const mine = aMessage({ id: "1", applicationId: "mine" })
const unassigned = aMessage({ id: "2", applicationId: null })
const theirs = aMessage({ id: "3", applicationId: "theirs" })
const ofMyRun = aMessage({ id: "4", applicationId: "mine", workflowRunId: "run" })
const ofTheirRun = aMessage({ id: "5", applicationId: "theirs", workflowRunId: "run" })
const ofABot = aMessage({ id: "6", applicationId: null, botSessionId: "session" })
const ofMyRunsBot = aMessage({ id: "7", applicationId: "mine", workflowRunId: "run", botSessionId: "session" })
const ofTheirRunsBot = aMessage({ id: "8", applicationId: "theirs", workflowRunId: "run", botSessionId: "session" })
const all = [mine, unassigned, theirs, ofMyRun, ofTheirRun, ofABot, ofMyRunsBot, ofTheirRunsBot]
const seen = (who: Caller) => all.filter((message) => isVisible(who, message))

describe("the messages that an application sees", () => {
  it("are its own, those of runs that its events started, and those without an application", () => {
    expect(seen(caller())).toEqual([mine, unassigned, ofMyRun, ofABot, ofMyRunsBot])
  })
  it("are only those that it sent itself with messages.status alone", () => {
    expect(seen(caller({}, ["messages.status"]))).toEqual([mine])
  })
  it("exclude other connections and other workspaces", () => {
    expect(seen(caller({ connectionIds: [] }))).toEqual([])
    expect(seen(caller({ workspaceId: "elsewhere" }))).toEqual([])
  })
  it("are the same one by one and in a list", () => {
    const { applicationId } = visibleTo(caller().application)
    const listed = all.filter((message) => [applicationId].flat().includes(message.applicationId))
    expect(listed).toEqual(seen(caller()))
  })
})
