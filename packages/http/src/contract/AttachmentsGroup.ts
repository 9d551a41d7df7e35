import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { UploadQuery, UploadResource } from "@parley/core"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { pathId } from "./pathId.js"
import { Raises, refusedWrites } from "./Raises.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"
import { TakesFile } from "./TakesFile.js"

/** Files to send (docs/reference/content.md#uploads). */
export const AttachmentsGroup = HttpApiGroup.make("attachments")
  .add(
    HttpApiEndpoint.post("create")`/attachments`
      .setHeaders(IdempotencyKey)
      .setUrlParams(UploadQuery)
      .addSuccess(single(UploadResource), { status: 201 })
      .annotate(RequiredScopes, ["messages.send", "templates.send"])
      .annotate(Raises, refusedWrites)
      .annotate(TakesFile, true)
      .annotate(OpenApi.Summary, "Upload a file to send it")
      .annotate(
        OpenApi.Description,
        "The body is the file, with its media type as `Content-Type`, or a form with one file. Its bytes decide its type: a declared type that they contradict is a 422. Send it as `attachment_id` in the `attachments` of messages until it expires."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/attachments/${pathId("id", "upload")}`
      .addSuccess(single(UploadResource))
      .annotate(RequiredScopes, ["messages.send", "templates.send"])
      .annotate(OpenApi.Summary, "Read one upload")
      .annotate(OpenApi.Description, "404 once it has expired.")
  )
  .annotate(OpenApi.Title, "Attachments")
  .annotate(OpenApi.Description, "Files that are uploaded to send them.")
