import { aTemplate, someConnectionId as id } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { changeTemplate } from "../../../src/resources/templates/changeTemplate.js"

const template = aTemplate({ id, status: "pending", version: 4 })

describe("a change of a template", () => {
  it("writes new values and expects the loaded version", () => {
    const { changes, result } = changeTemplate(template, { status: "approved" })
    expect(result).toEqual({ ...template, status: "approved", version: 5 })
    expect(changes?.expects).toEqual([{ table: "templates", key: { id }, where: { version: 4 } }])
    expect(changes?.sets).toEqual([{ table: "templates", key: { id }, values: { status: "approved" } }])
  })
  it("writes nothing for the same values", () => {
    expect(changeTemplate(template, { status: "pending", body: template.body })).toEqual({
      changes: null,
      result: template
    })
    expect(changeTemplate(template, {}).changes).toBeNull()
  })
})
