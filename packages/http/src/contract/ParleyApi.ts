import { HttpApi, OpenApi } from "@effect/platform"
import { AttachmentsGroup } from "./AttachmentsGroup.js"
import { ChannelsGroup } from "./ChannelsGroup.js"
import { ContactsGroup } from "./ContactsGroup.js"
import { ConversationsGroup } from "./ConversationsGroup.js"
import { EventsGroup } from "./EventsGroup.js"
import { LeadsGroup } from "./LeadsGroup.js"
import { MessagesGroup } from "./MessagesGroup.js"
import { OAuthGroup } from "./OAuthGroup.js"
import { Raises } from "./Raises.js"
import { TemplatesGroup } from "./TemplatesGroup.js"

/** The public interface, version 1: every path, what it takes and what it answers. */
export const ParleyApi = HttpApi.make("parley")
  .add(OAuthGroup)
  .add(ContactsGroup)
  .add(MessagesGroup)
  .add(AttachmentsGroup)
  .add(LeadsGroup)
  .add(ConversationsGroup)
  .add(TemplatesGroup)
  .add(ChannelsGroup)
  .add(EventsGroup)
  .prefix("/api/v1")
  .annotate(Raises, ["unauthenticated", "account_suspended", "workspace_unavailable"])
  .annotate(OpenApi.Title, "Messaging Integration Service Interface")
  .annotate(OpenApi.Version, "1.0.0")
