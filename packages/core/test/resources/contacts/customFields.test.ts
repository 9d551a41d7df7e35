import { aCustomField, aWorkspace, someWorkspaceId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { decodeCustomFieldInput } from "../../../src/resources/contacts/CustomFieldInput.js"
import { createCustomField } from "../../../src/resources/contacts/createCustomField.js"
import { agreed, refused } from "../../outcomes.js"

const create = (body: object, fields = [aCustomField()]) =>
  createCustomField(
    { workspace: aWorkspace(), fields },
    decodeCustomFieldInput({ workspace_id: someWorkspaceId, key: "size", type: "number", label: "Size", ...body })
  )

describe("a new custom field", () => {
  it("claims its key", () => {
    const { changes, result } = agreed(create({}))
    expect(result).toEqual({ workspaceId: someWorkspaceId, key: "size", type: "number", label: "Size" })
    expect(changes?.claims).toEqual([{ table: "customFields", row: result }])
  })
  it("cannot have a key that is taken", () => {
    expect(refused(create({ key: "plan" })).details).toEqual({ key: ["is taken by another custom field"] })
  })
  it("reports all problems at once", () => {
    expect(refused(create({ workspace_id: "x", key: "shoe size", type: "colour", label: "" })).details).toEqual({
      workspace_id: ["must be a UUID"],
      key: ["must be 1 to 64 letters, digits, _ or -, beginning with a letter"],
      type: ["must be one of text, number, boolean, date"],
      label: ["is required"]
    })
  })
  it("is the hundredth at most", () => {
    const many = Array.from({ length: 100 }, (_, index) => aCustomField({ key: `f${index}` }))
    expect(agreed(create({}, many.slice(1))).result.key).toBe("size")
    expect(refused(create({}, many)).details).toEqual({
      key: ["cannot be added: a workspace has at most 100 custom fields"]
    })
  })
})
