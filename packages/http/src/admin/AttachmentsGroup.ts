import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AdminUploadQuery, UploadResource } from "@parley/core"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"
import { TakesFile } from "../contract/TakesFile.js"

/** Files that agents send (docs/reference/content.md#uploads-of-administrators). */
export const AttachmentsGroup = HttpApiGroup.make("attachments")
  .add(
    HttpApiEndpoint.post("create")`/attachments`
      .setUrlParams(AdminUploadQuery)
      .addSuccess(single(UploadResource), { status: 201 })
      .annotate(Raises, ["workspace_suspended", "workspace_unavailable"])
      .annotate(TakesFile, true)
      .annotate(OpenApi.Summary, "Upload a file to send it in replies of agents")
      .annotate(
        OpenApi.Description,
        "The body is the file, with its media type as `Content-Type`, or a form with one file. Its bytes decide its type: a declared type that they contradict is a 422. Send it as `attachment_id` in the `attachments` of replies in the workspace until it expires."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/attachments/${pathId("id", "upload")}`
      .addSuccess(single(UploadResource))
      .annotate(OpenApi.Summary, "Read one upload of an administrator")
      .annotate(OpenApi.Description, "404 once it has expired, and for uploads of applications.")
  )
  .annotate(OpenApi.Title, "Attachments")
  .annotate(OpenApi.Description, "Files that are uploaded to send them in replies of agents.")
