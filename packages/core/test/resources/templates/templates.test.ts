import { aTemplate, aWorkspace, channelsNamed, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { createTemplate } from "../../../src/resources/templates/createTemplate.js"
import { decodeTemplateInput, decodeTemplatePatch } from "../../../src/resources/templates/TemplateInput.js"
import { TemplateResource, templateResource } from "../../../src/resources/templates/TemplateResource.js"
import { updateTemplate } from "../../../src/resources/templates/updateTemplate.js"
import { agreed, refused } from "../../outcomes.js"

const channels = [...channelsNamed("whatsapp"), { name: "email", identity: "email", subjects: true } as const]
const template = aTemplate({ id: "01900000-0000-7000-8000-0000000000d1" })
const input = {
  workspace_id: someWorkspaceId,
  name: "order_ready",
  channel: "whatsapp",
  language: "en",
  body: "Hi {{1}}"
}
const create = (body: object, namesakes = [template]) =>
  createTemplate(
    { channels, workspace: aWorkspace(), namesakes },
    decodeTemplateInput({ ...input, ...body }),
    someTime,
    makeTestIds()
  )

describe("a new template", () => {
  it("is a draft by default", () => {
    expect(agreed(create({ language: "de" })).result).toMatchObject({ status: "draft", category: null, version: 1 })
  })
  it("claims its name in its language on its channel", () => {
    expect(agreed(create({ language: "de" })).changes?.claims).toMatchObject([{ table: "templates" }])
    expect(refused(create({})).details).toEqual({
      name: ["is taken by another template in this language on this channel"]
    })
  })
  it("reports all problems at once", () => {
    const { details } = refused(create({ channel: "fax", body: "", status: "done" }))
    expect(Object.keys(details).sort()).toEqual(["body", "channel", "name", "status"])
  })
})

describe("a template of an email", () => {
  const mail = { channel: "email", subject: "Order {{2}}", html: "<b>{{1}}</b>" }

  it("has a subject and HTML, whose slots count too", () => {
    const { result } = agreed(create({ ...mail, body: "Hi" }, []))
    expect(Schema.encodeSync(TemplateResource)(templateResource(result))).toMatchObject({
      subject: "Order {{2}}",
      html: "<b>{{1}}</b>",
      variables: ["1", "2"]
    })
    expect(templateResource(result)).not.toHaveProperty("parts")
  })
  it("changes them, and loses them with null", () => {
    const { result } = agreed(create(mail, []))
    const change = (patch: { readonly [field: string]: unknown }) =>
      templateResource(agreed(updateTemplate(result, channels, decodeTemplatePatch(patch))).result)
    expect(change({ subject: "Your order" })).toMatchObject({ subject: "Your order", html: mail.html })
    expect(change({ html: null })).not.toHaveProperty("html")
    expect(agreed(updateTemplate(result, channels, decodeTemplatePatch({ html: mail.html }))).changes).toBeNull()
  })
  it("has a subject of one line; templates of channels without subjects have neither", () => {
    expect(refused(create({ ...mail, subject: "a\nb" }, [])).details).toEqual({ subject: ["must be one line"] })
    const nowhere = ["is not possible on this channel"]
    expect(refused(create({ ...mail, channel: "whatsapp" }, [])).details).toEqual({ subject: nowhere, html: nowhere })
    expect(refused(updateTemplate(template, channels, decodeTemplatePatch({ html: "<b>" }))).details).toEqual({
      html: nowhere
    })
  })
})

describe("a change of a template", () => {
  it("sets text, category and status", () => {
    const body = { body: "Bye {{2}}", category: null, status: "paused" }
    expect(agreed(updateTemplate(template, channels, decodeTemplatePatch(body))).result).toEqual({
      ...template,
      ...body,
      version: 2
    })
  })
  it("cannot rename it, but may repeat the name", () => {
    expect(
      refused(updateTemplate(template, channels, decodeTemplatePatch({ name: "x", language: "de" }))).details
    ).toEqual({
      name: ["cannot be changed"],
      language: ["cannot be changed"]
    })
    expect(agreed(updateTemplate(template, channels, decodeTemplatePatch({ name: template.name }))).changes).toBeNull()
  })
})

describe("a template on the wire", () => {
  it("has exactly the fields of the interface", () => {
    expect(Schema.encodeSync(TemplateResource)(templateResource(template))).toEqual({
      id: template.id,
      name: "order_ready",
      channel: "whatsapp",
      language: "en",
      category: "utility",
      status: "approved",
      is_sendable: true,
      body: "Your order {{1}} is ready.",
      variables: ["1"]
    })
  })
  it("has the parts of the vendor's template, if there are any", () => {
    const parts = { header: null, footer: "The shop", buttons: [], named: true }
    const named = templateResource({ ...template, body: "Hi {{first_name}}, {{code}}, {{first_name}}", parts })
    expect(Schema.encodeSync(TemplateResource)(named)).toMatchObject({ parts, variables: ["first_name", "code"] })
  })
})
