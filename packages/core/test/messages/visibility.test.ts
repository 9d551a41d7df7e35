import { aMessage, anApplication, aWorkspace, someConnectionId } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import type { Application } from "../../src/access/Application.js"
import type { Caller } from "../../src/access/Caller.js"
import type { Scope } from "../../src/access/Scope.js"
import { isVisible, visibleTo } from "../../src/messages/visibility.js"

const caller = (parts: Partial<Application> = {}, scopes: ReadonlyArray<Scope> = ["messages.read"]): Caller => ({
  application: anApplication({ id: "mine", connectionIds: [someConnectionId], ...parts }),
  workspace: aWorkspace(),
  scopes,
  credentialId: "c"
})
const mine = aMessage({ id: "1", applicationId: "mine" })
const nobodys = aMessage({ id: "2", applicationId: null })
const theirs = aMessage({ id: "3", applicationId: "theirs" })
const ofMyRun = aMessage({ id: "4", applicationId: "mine", workflowRunId: "run" })
const ofTheirRun = aMessage({ id: "5", applicationId: "theirs", workflowRunId: "run" })
const ofABot = aMessage({ id: "6", applicationId: null, botSessionId: "session" })
const ofMyRunsBot = aMessage({ id: "7", applicationId: "mine", workflowRunId: "run", botSessionId: "session" })
const ofTheirRunsBot = aMessage({ id: "8", applicationId: "theirs", workflowRunId: "run", botSessionId: "session" })
const all = [mine, nobodys, theirs, ofMyRun, ofTheirRun, ofABot, ofMyRunsBot, ofTheirRunsBot]
const seen = (who: Caller) => all.filter((message) => isVisible(who, message))

describe("what an application sees of messages", () => {
  it("is its own, those of runs that its events started, and nobody's", () => {
    expect(seen(caller())).toEqual([mine, nobodys, ofMyRun, ofABot, ofMyRunsBot])
  })
  it("is what it sent itself alone with messages.status alone", () => {
    expect(seen(caller({}, ["messages.status"]))).toEqual([mine])
  })
  it("is nothing off its allow-list or of another workspace", () => {
    expect(seen(caller({ connectionIds: [] }))).toEqual([])
    expect(seen(caller({ workspaceId: "elsewhere" }))).toEqual([])
  })
  it("is the same one by one and in a list", () => {
    const { applicationId } = visibleTo(caller().application)
    const listed = all.filter((message) => [applicationId].flat().includes(message.applicationId))
    expect(listed).toEqual(seen(caller()))
  })
})
