// Made by `npm run generate` from the OpenAPI document of @parley/http; change that instead.

import type { Answer, CursorPage } from "../Answer.js"
import type { CreateOptions, RequestOptions } from "../ClientOptions.js"
import type { ChannelName } from "../ChannelName.js";
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A scripted dialogue with customers.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000a",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Qualification",
         *       "status": "active",
         *       "start": {
         *         "keywords": [
         *           "demo"
         *         ],
         *         "new_conversation_on": [
         *           "0190a1b2-0000-7000-8000-000000000003"
         *         ]
         *       },
         *       "greeting": "Hello {{contact.first_name}}!",
         *       "steps": [
         *         {
         *           "key": "email",
         *           "type": "ask",
         *           "text": "Where may we write to?",
         *           "expect": {
         *             "type": "email"
         *           },
         *           "tries": 2
         *         }
         *       ],
         *       "time_out": "90s",
         *       "time_out_text": "Write again whenever you like.",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly AdminBot: {
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * @description Sent before the first step; null: nothing.
             * @example Hello {{contact.first_name}}!
             */
            readonly greeting: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000a
             */
            readonly id: string;
            /** @example Qualification */
            readonly name: string;
            /**
             * @description Keywords that start it if a message consists of one; connections whose new conversations start it.
             * @example {
             *       "keywords": [
             *         "demo"
             *       ],
             *       "new_conversation_on": [
             *         "0190a1b2-0000-7000-8000-000000000003"
             *       ]
             *     }
             */
            readonly start: {
                readonly keywords?: readonly string[];
                readonly new_conversation_on?: readonly string[];
            };
            /**
             * @description Only active bots start.
             * @enum {string}
             */
            readonly status: "active" | "inactive";
            /** @description Its messages and questions, in this order; if empty, the host's responder answers. */
            readonly steps: readonly components["schemas"]["BotStep"][];
            /**
             * @description Timeout of an answer; the dialogue then ends.
             * @example 90s
             * @example 10m
             * @example 2h
             * @example 3d
             */
            readonly time_out: string;
            /**
             * @description Sent when it ends without an answer; null: nothing.
             * @example Write again whenever you like.
             */
            readonly time_out_text: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A customer of a workspace, with all stored data.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000001",
         *       "first_name": "Ada",
         *       "last_name": "Lovelace",
         *       "name": "Ada Lovelace",
         *       "company": null,
         *       "job_title": null,
         *       "email": "ada@example.com",
         *       "phone": "+4915112345678",
         *       "country": "GB",
         *       "city": "London",
         *       "language": "en",
         *       "lifecycle_stage": "customer",
         *       "opted_out": false,
         *       "marketing_opted_out": false,
         *       "last_activity_at": "2026-05-04T08:30:00.000Z",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "identities": [
         *         {
         *           "channel": "email",
         *           "handle": "ada@example.com",
         *           "display_name": null
         *         },
         *         {
         *           "channel": "phone",
         *           "handle": "+4915112345678",
         *           "display_name": null
         *         },
         *         {
         *           "channel": "telegram",
         *           "handle": "ada_l",
         *           "display_name": "Ada"
         *         }
         *       ],
         *       "tags": [
         *         "vip"
         *       ],
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "timezone": "Europe/London",
         *       "custom_fields": {
         *         "shoe_size": 38
         *       }
         *     }
         */
        readonly AdminContact: {
            /** @example London */
            readonly city: string | null;
            readonly company: string | null;
            /** @example GB */
            readonly country: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * @description Values by the keys of fields that the workspace defines.
             * @example {
             *       "shoe_size": 38
             *     }
             */
            readonly custom_fields: {
                readonly [key: string]: (string | number | boolean) | null;
            };
            /** @example ada@example.com */
            readonly email: string | null;
            /** @example Ada */
            readonly first_name: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly id: string;
            /**
             * @description The contact's handles on channels.
             * @example [
             *       {
             *         "channel": "email",
             *         "handle": "ada@example.com",
             *         "display_name": null
             *       },
             *       {
             *         "channel": "phone",
             *         "handle": "+4915112345678",
             *         "display_name": null
             *       },
             *       {
             *         "channel": "telegram",
             *         "handle": "ada_l",
             *         "display_name": "Ada"
             *       }
             *     ]
             */
            readonly identities: readonly components["schemas"]["Identity"][];
            readonly job_title: string | null;
            /** @example en */
            readonly language: string | null;
            /** @description When the last message went in or out. */
            readonly last_activity_at: components["schemas"]["Timestamp"];
            /** @example Lovelace */
            readonly last_name: string | null;
            /**
             * @example customer
             * @enum {string}
             */
            readonly lifecycle_stage: "lead" | "prospect" | "customer" | "churned";
            /** @description Whether the contact wants no templates of the category `marketing`. */
            readonly marketing_opted_out: boolean;
            /**
             * @description First and last name; without them company, email, phone or the first handle.
             * @example Ada Lovelace
             */
            readonly name: string;
            /** @description Whether the contact wants no messages at all. */
            readonly opted_out: boolean;
            /** @example +4915112345678 */
            readonly phone: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            readonly tags: readonly string[];
            /** @example Europe/London */
            readonly timezone: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A contact to create, and its workspace. At least one of `email`, `phone` and `identities` is required.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "first_name": "Ada",
         *       "last_name": "Lovelace",
         *       "email": "ada@work.example.com"
         *     }
         */
        readonly AdminContactInput: {
            readonly city?: string | null;
            readonly company?: string | null;
            /**
             * @description A country code of two letters.
             * @example GB
             */
            readonly country?: string | null;
            /** @description Values by the keys of fields that the workspace defines. */
            readonly custom_fields?: Record<string, unknown> | null;
            /**
             * @description Claims this address for the contact.
             * @example ada@example.com
             */
            readonly email?: string | null;
            /** @example Ada */
            readonly first_name?: string | null;
            /**
             * @description Handles on channels. A handle belongs to at most one contact.
             * @example [
             *       {
             *         "channel": "telegram",
             *         "handle": "ada_l"
             *       }
             *     ]
             */
            readonly identities?: readonly {
                /** @enum {string} */
                readonly channel: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
                readonly handle: string;
            }[] | null;
            readonly job_title?: string | null;
            readonly language?: string | null;
            /** @example Lovelace */
            readonly last_name?: string | null;
            /**
             * @description Default: `lead`.
             * @example customer
             * @enum {string|null}
             */
            readonly lifecycle_stage?: "lead" | "prospect" | "customer" | "churned" | null;
            /**
             * @description Claims this number for the contact: `+` and 7 to 15 digits; spaces, dots, dashes and brackets are removed.
             * @example +4915112345678
             */
            readonly phone?: string | null;
            /**
             * @description Tags that are not there yet are created.
             * @example [
             *       "vip"
             *     ]
             */
            readonly tags?: readonly string[] | null;
            /** @description Such as `Europe/London`. */
            readonly timezone?: string | null;
            /** Format: uuid */
            readonly workspace_id: string;
        };
        /**
         * @description All messages with one handle on one connection.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000002",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "channel": "whatsapp",
         *       "status": "open",
         *       "assigned_user_id": "0190a1b2-0000-7000-8000-000000000008",
         *       "assigned_team_id": null,
         *       "last_activity_at": "2026-05-04T08:30:00.000Z",
         *       "service_window_expires_at": null,
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "handle": "+4915112345678",
         *       "contact_name": "Ada Lovelace",
         *       "last_message": {
         *         "id": "0190a1b2-0000-7000-8000-000000000005",
         *         "external_reference": "order-1042",
         *         "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *         "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *         "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *         "direction": "outbound",
         *         "type": "template",
         *         "status": "delivered",
         *         "body": "Hello Ada, your order 1042 is on its way.",
         *         "subject": null,
         *         "attachments": [],
         *         "content": null,
         *         "origin": "application",
         *         "segments": 2,
         *         "error": null,
         *         "sent_at": "2026-05-04T08:30:00.412Z",
         *         "delivered_at": "2026-05-04T08:30:01.030Z",
         *         "read_at": null,
         *         "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *         "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *         "agent_id": null,
         *         "workflow_run_id": null,
         *         "bot_session_id": null,
         *         "template_name": "order_shipped",
         *         "template_language": "en",
         *         "variables": [
         *           "Ada",
         *           "1042"
         *         ],
         *         "provider_message_id": "wamid.1042",
         *         "created_at": "2026-05-04T08:30:00.000Z"
         *       }
         *     }
         */
        readonly AdminConversation: {
            /** Format: uuid */
            readonly assigned_team_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000008
             */
            readonly assigned_user_id: string | null;
            /**
             * Format: channel
             * @example whatsapp
             */
            readonly channel: ChannelName;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            /**
             * @description Name of the contact. Null if it was merged into another one or erased at this moment.
             * @example Ada Lovelace
             */
            readonly contact_name: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * @description The customer's name on the channel.
             * @example +4915112345678
             */
            readonly handle: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly id: string;
            /** @description When the last message went in or out. */
            readonly last_activity_at: components["schemas"]["Timestamp"];
            /** @description The newest message, in or out. Null without messages. */
            readonly last_message: components["schemas"]["AdminMessage"] | null;
            /** @description When the service window closes; null if the customer never wrote, or the channel has no window. */
            readonly service_window_expires_at: components["schemas"]["Timestamp"] | null;
            /** @enum {string} */
            readonly status: "open" | "pending" | "resolved" | "closed";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A contact's way through a pipeline.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000006",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "pipeline_id": "0190a1b2-0000-7000-8000-000000000007",
         *       "stage": "new",
         *       "title": "Yearly plan",
         *       "value": 1200,
         *       "currency": "EUR",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "updated_at": "2026-05-04T08:30:00.000Z",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010"
         *     }
         */
        readonly AdminLead: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example EUR */
            readonly currency: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000006
             */
            readonly id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000007
             */
            readonly pipeline_id: string;
            /**
             * @description The key of a stage of the pipeline.
             * @example new
             */
            readonly stage: string;
            /** @example Yearly plan */
            readonly title: string | null;
            readonly updated_at: components["schemas"]["Timestamp"];
            /**
             * @description In units of the currency.
             * @example 1200
             */
            readonly value: number | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A message, in or out, with its author.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000005",
         *       "external_reference": "order-1042",
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "direction": "outbound",
         *       "type": "template",
         *       "status": "delivered",
         *       "body": "Hello Ada, your order 1042 is on its way.",
         *       "subject": null,
         *       "attachments": [],
         *       "content": null,
         *       "origin": "application",
         *       "segments": 2,
         *       "error": null,
         *       "sent_at": "2026-05-04T08:30:00.412Z",
         *       "delivered_at": "2026-05-04T08:30:01.030Z",
         *       "read_at": null,
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "agent_id": null,
         *       "workflow_run_id": null,
         *       "bot_session_id": null,
         *       "template_name": "order_shipped",
         *       "template_language": "en",
         *       "variables": [
         *         "Ada",
         *         "1042"
         *       ],
         *       "provider_message_id": "wamid.1042",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly AdminMessage: {
            /**
             * Format: uuid
             * @description The agent who wrote it, if known.
             */
            readonly agent_id: string | null;
            /**
             * Format: uuid
             * @description The application that sent it, or whose event started the run that sent it; null for messages of customers and agents.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            /**
             * @description Empty without attachments.
             * @example []
             */
            readonly attachments: readonly components["schemas"]["Attachment"][];
            /** @description True if a program wrote it, such as an out-of-office reply, or if it came through a mailing list. Do not answer it automatically. */
            readonly automatic?: boolean;
            /**
             * @description The readable text of every type: of a template the rendered one, of media the caption.
             * @example Hello Ada, your order 1042 is on its way.
             */
            readonly body: string;
            /**
             * Format: uuid
             * @description The dialogue of a bot that it belongs to.
             */
            readonly bot_session_id: string | null;
            /** @description Of an email. */
            readonly cc?: readonly string[];
            /**
             * Format: uuid
             * @description The channel connection that was used.
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            /**
             * @description Content beyond text and files, by its `type`; null for text, templates and media.
             * @example null
             */
            readonly content: (components["schemas"]["LocationContent"] | components["schemas"]["ContactsContent"] | components["schemas"]["ChoicesContent"] | components["schemas"]["ChoiceContent"] | components["schemas"]["FormContent"] | components["schemas"]["OrderContent"] | components["schemas"]["TemplateContent"] | components["schemas"]["ReactionContent"] | components["schemas"]["EditContent"] | components["schemas"]["DeletionContent"] | components["schemas"]["SystemContent"] | components["schemas"]["UnsupportedContent"]) | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example 2026-05-04T08:30:01.030Z */
            readonly delivered_at: components["schemas"]["Timestamp"] | null;
            /**
             * @example outbound
             * @enum {string}
             */
            readonly direction: "inbound" | "outbound";
            /** @description Reason of the failure; `provider` is the vendor's error, if known. */
            readonly error: {
                /** @description A code of the error catalogue. */
                readonly code: string;
                readonly message: string;
                readonly provider: {
                    readonly code: string;
                    readonly message: string;
                } | null;
            } | null;
            /**
             * @description What the caller gave when it sent the message.
             * @example order-1042
             */
            readonly external_reference: string | null;
            /** @description True if the message was forwarded. */
            readonly forwarded?: boolean;
            /** @description Of an email: who wrote it, as its header has it. */
            readonly from?: string;
            /** @description Of an email whose `body` leaves out quoted mails or a signature: the whole text. */
            readonly full_text?: string;
            /** @description Equal for the messages of an album. */
            readonly group_id?: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly id: string;
            /**
             * @description Who wrote it; `external`: the business, outside of this service, such as in the channel's own app.
             * @example application
             * @enum {string}
             */
            readonly origin: "application" | "agent" | "workflow" | "bot" | "customer" | "external";
            readonly pricing?: components["schemas"]["Pricing"];
            /** @example wamid.1042 */
            readonly provider_message_id: string | null;
            readonly quoted?: components["schemas"]["Quoted"];
            readonly read_at: components["schemas"]["Timestamp"] | null;
            /** @description Of inbound messages, and of those that the business wrote elsewhere. */
            readonly received_at?: components["schemas"]["Timestamp"];
            readonly referral?: components["schemas"]["Referral"];
            /** @description Email only: the Reply-To addresses. */
            readonly reply_to?: readonly string[];
            /**
             * @description Number of charged segments, if reported.
             * @example 2
             */
            readonly segments?: number;
            /** @example 2026-05-04T08:30:00.412Z */
            readonly sent_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description An inbound message is `delivered`.
             * @example delivered
             * @enum {string}
             */
            readonly status: "queued" | "sent" | "delivered" | "read" | "failed";
            /** @description Of an email. */
            readonly subject: string | null;
            /** @example en */
            readonly template_language: string | null;
            /** @example order_shipped */
            readonly template_name: string | null;
            /** @description Of an email. */
            readonly to?: readonly string[];
            /**
             * @example template
             * @enum {string}
             */
            readonly type: "text" | "template" | "media" | "location" | "contacts" | "choices" | "choice" | "form" | "order" | "reaction" | "edit" | "deletion" | "system" | "unsupported";
            /**
             * @example [
             *       "Ada",
             *       "1042"
             *     ]
             */
            readonly variables: readonly string[];
            /**
             * Format: uuid
             * @description The run of a workflow that sent it.
             */
            readonly workflow_run_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A text with slots, approved before it is sent.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000004",
         *       "name": "order_shipped",
         *       "channel": "whatsapp",
         *       "language": "en",
         *       "account": "102290129340398",
         *       "category": "utility",
         *       "status": "approved",
         *       "is_sendable": true,
         *       "body": "Hello {{1}}, your order {{2}} is on its way.",
         *       "subject": "Order {{2}}",
         *       "variables": [
         *         "1",
         *         "2"
         *       ],
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly AdminTemplate: {
            /**
             * @description The vendor's account that has it; absent if it was made by hand.
             * @example 102290129340398
             */
            readonly account?: string;
            /** @example Hello {{1}}, your order {{2}} is on its way. */
            readonly body: string;
            /** @example utility */
            readonly category: string | null;
            /**
             * Format: channel
             * @example whatsapp
             */
            readonly channel: ChannelName;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @description The body as HTML; absent without it. */
            readonly html?: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000004
             */
            readonly id: string;
            /**
             * @description Only approved templates can be sent.
             * @example true
             */
            readonly is_sendable: boolean;
            /** @example en */
            readonly language: string;
            /** @example order_shipped */
            readonly name: string;
            /** @description Header, footer and buttons of the vendor's template; absent without them. */
            readonly parts?: components["schemas"]["TemplateParts"];
            /**
             * @example approved
             * @enum {string}
             */
            readonly status: "draft" | "pending" | "approved" | "rejected" | "paused";
            /**
             * @description The subject of its messages; absent without one.
             * @example Order {{2}}
             */
            readonly subject?: string;
            /**
             * @description The names of the slots, in the order of their values.
             * @example [
             *       "1",
             *       "2"
             *     ]
             */
            readonly variables: readonly string[];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A person who answers customers.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000008",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Grace",
         *       "email": "grace@example.com",
         *       "status": "active",
         *       "avatar_url": null,
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Agent: {
            /** @description Link to the image that customers see, which expires; null: no image. */
            readonly avatar_url: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example grace@example.com */
            readonly email: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000008
             */
            readonly id: string;
            /** @example Grace */
            readonly name: string;
            /** @enum {string} */
            readonly status: "active" | "inactive";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description An agent to create.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Grace",
         *       "email": "grace@example.com"
         *     }
         */
        readonly AgentInput: {
            /**
             * Format: email
             * @example grace@example.com
             */
            readonly email?: string | null;
            /** @example Grace */
            readonly name: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description What to change.
         * @example {
         *       "status": "inactive"
         *     }
         */
        readonly AgentPatch: {
            /** @description Image that customers see in web chat: PNG, JPEG, WebP or GIF, in base64. Null removes it. */
            readonly avatar?: string | null;
            /** Format: email */
            readonly email?: string | null;
            readonly name?: string;
            /** @enum {string} */
            readonly status?: "active" | "inactive";
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly AgentsListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description An API key; the key itself is shown once, when it is issued.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000012",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "last_four": "stuv",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "revoked_at": null
         *     }
         */
        readonly ApiKey: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000012
             */
            readonly id: string;
            /**
             * @description The last four characters, to recognise the key.
             * @example stuv
             */
            readonly last_four: string;
            /** @description When it stopped working. */
            readonly revoked_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description A caller of the public interface.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000011",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Shop",
         *       "mode": "test",
         *       "scopes": [
         *         "messages.send",
         *         "messages.read",
         *         "messages.status",
         *         "templates.read",
         *         "templates.send",
         *         "contacts.read",
         *         "contacts.write",
         *         "leads.create",
         *         "leads.read",
         *         "webhooks.receive",
         *         "events.send"
         *       ],
         *       "connection_ids": [
         *         "0190a1b2-0000-7000-8000-000000000003"
         *       ],
         *       "limits": {
         *         "requests_per_minute": 1200,
         *         "sends_per_minute": 100
         *       },
         *       "status": "active",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Application: {
            /** @description Connections that it may send on and receives events of. */
            readonly connection_ids: readonly string[];
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly id: string;
            /** @description Requests per minute. */
            readonly limits: {
                /** @example 1200 */
                readonly requests_per_minute: number;
                /** @example 100 */
                readonly sends_per_minute: number;
            };
            /**
             * @example test
             * @enum {string}
             */
            readonly mode: "live" | "test";
            /** @example Shop */
            readonly name: string;
            /**
             * @example [
             *       "messages.send",
             *       "messages.read",
             *       "messages.status",
             *       "templates.read",
             *       "templates.send",
             *       "contacts.read",
             *       "contacts.write",
             *       "leads.create",
             *       "leads.read",
             *       "webhooks.receive",
             *       "events.send"
             *     ]
             */
            readonly scopes: readonly ("messages.send" | "messages.read" | "messages.status" | "templates.read" | "templates.send" | "contacts.read" | "contacts.write" | "leads.create" | "leads.read" | "webhooks.receive" | "events.send")[];
            /** @enum {string} */
            readonly status: "active" | "suspended";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description An application to create.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Shop",
         *       "mode": "test",
         *       "scopes": [
         *         "messages.send",
         *         "messages.read",
         *         "messages.status",
         *         "templates.read",
         *         "templates.send",
         *         "contacts.read",
         *         "contacts.write",
         *         "leads.create",
         *         "leads.read",
         *         "webhooks.receive",
         *         "events.send"
         *       ],
         *       "connection_ids": [
         *         "0190a1b2-0000-7000-8000-000000000003"
         *       ],
         *       "limits": {
         *         "requests_per_minute": 1200
         *       }
         *     }
         */
        readonly ApplicationInput: {
            /** @description Connections that it may send on and receives events of. */
            readonly connection_ids?: readonly string[] | null;
            /** @description Requests per minute. Default: 600 requests and 100 sends. */
            readonly limits?: {
                readonly requests_per_minute?: number;
                readonly sends_per_minute?: number;
            };
            /**
             * @description A test application uses test connections only, a live application the others only.
             * @enum {string}
             */
            readonly mode: "live" | "test";
            readonly name: string;
            readonly scopes: readonly ("messages.send" | "messages.read" | "messages.status" | "templates.read" | "templates.send" | "contacts.read" | "contacts.write" | "leads.create" | "leads.read" | "webhooks.receive" | "events.send")[];
            /** Format: uuid */
            readonly workspace_id: string;
        };
        /**
         * @description What to change; scopes and connections are replaced as a whole.
         * @example {
         *       "status": "suspended"
         *     }
         */
        readonly ApplicationPatch: {
            readonly connection_ids?: readonly string[];
            /** @description Values that you have read. If one of them has changed since, the response is 409 `invalid_transition`, `details` names it, and nothing changes. */
            readonly expect?: {
                readonly connection_ids?: readonly string[];
                readonly name?: string;
                readonly scopes?: readonly ("messages.send" | "messages.read" | "messages.status" | "templates.read" | "templates.send" | "contacts.read" | "contacts.write" | "leads.create" | "leads.read" | "webhooks.receive" | "events.send")[];
                /** @enum {string} */
                readonly status?: "active" | "suspended";
            };
            readonly limits?: {
                readonly requests_per_minute?: number;
                readonly sends_per_minute?: number;
            };
            /** @description May be repeated, but not changed. */
            readonly mode?: unknown;
            readonly name?: string;
            readonly scopes?: readonly ("messages.send" | "messages.read" | "messages.status" | "templates.read" | "templates.send" | "contacts.read" | "contacts.write" | "leads.create" | "leads.read" | "webhooks.receive" | "events.send")[];
            /** @enum {string} */
            readonly status?: "active" | "suspended";
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly ApplicationsListClientsQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
        };
        readonly ApplicationsListKeysQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
        };
        readonly ApplicationsListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description Waiting work of each application. Of each lane of the queue, the first 2,000 jobs are counted.
         * @example {
         *       "time": "2026-05-04T08:30:01.030Z",
         *       "applications": [
         *         {
         *           "application_id": null,
         *           "name": "Web shop",
         *           "queued": 12,
         *           "sending": 2,
         *           "oldest_queued_at": null,
         *           "failed": 1,
         *           "deliveries": 3,
         *           "disabled_endpoints": 0,
         *           "parked": 0
         *         }
         *       ],
         *       "rest": {
         *         "applications": 40,
         *         "queued": 12,
         *         "sending": 2,
         *         "oldest_queued_at": null,
         *         "failed": 1,
         *         "deliveries": 3,
         *         "disabled_endpoints": 0,
         *         "parked": 0
         *       }
         *     }
         */
        readonly ApplicationStatus: {
            /** @description Those with the most waiting work first. */
            readonly applications: readonly components["schemas"]["ApplicationWork"][];
            /** @description Null if there are no others. */
            readonly rest: components["schemas"]["OtherApplicationsWork"] | null;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly time: components["schemas"]["Timestamp"];
        };
        /**
         * @description Waiting work of one application.
         * @example {
         *       "application_id": null,
         *       "name": "Web shop",
         *       "queued": 12,
         *       "sending": 2,
         *       "oldest_queued_at": null,
         *       "failed": 1,
         *       "deliveries": 3,
         *       "disabled_endpoints": 0,
         *       "parked": 0
         *     }
         */
        readonly ApplicationWork: {
            /**
             * Format: uuid
             * @description Null: work without an application, such as replies of agents.
             */
            readonly application_id: string | null;
            /**
             * @description Webhook deliveries that wait or run. Those of disabled endpoints are not counted.
             * @example 3
             */
            readonly deliveries: number;
            /**
             * @description Disabled by failures or by an administrator.
             * @example 0
             */
            readonly disabled_endpoints: number;
            /**
             * @description Failed messages among the newest 2,000 messages of all applications.
             * @example 1
             */
            readonly failed: number;
            /** @example Web shop */
            readonly name: string | null;
            /** @description When the oldest of these messages was accepted; null without one. */
            readonly oldest_queued_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description Jobs that failed too often.
             * @example 0
             */
            readonly parked: number;
            /**
             * @description Messages that wait in the queue, also while their files are fetched.
             * @example 12
             */
            readonly queued: number;
            /**
             * @description Messages that a host is handing to the provider.
             * @example 2
             */
            readonly sending: number;
        };
        /**
         * @description A file of a message.
         * @example {
         *       "id": "0190a1b2-0000-8000-8000-00000000001a",
         *       "type": "image",
         *       "content_type": "image/jpeg",
         *       "file_name": "parcel.jpg",
         *       "size": 48213,
         *       "url": "https://api.example.com/media/0190a1b2-0000-8000-8000-00000000001a?expires=1777890600&signature=wJalrXUtnFEMI_K7MDENG-bPxRfiCYEXAMPLEKEY0123",
         *       "expires_at": "2026-05-04T10:30:00.000Z"
         *     }
         */
        readonly Attachment: {
            /**
             * @description As reported by the channel; otherwise `application/octet-stream`.
             * @example image/jpeg
             */
            readonly content_type: string;
            /** @description Of a sound or a video, in seconds; absent if the channel does not say it. */
            readonly duration?: number;
            /**
             * @description End of the URL's validity. Reading the message again returns a new URL.
             * @example 2026-05-04T10:30:00.000Z
             */
            readonly expires_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description The sender's file name, without folders.
             * @example parcel.jpg
             */
            readonly file_name: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-8000-8000-00000000001a
             */
            readonly id: string;
            /**
             * @description In bytes; 0 until the file was downloaded from the channel.
             * @example 48213
             */
            readonly size: number;
            /** @enum {string} */
            readonly type: "image" | "video" | "audio" | "voice" | "document" | "sticker" | "other";
            /**
             * @description Serves the file until `expires_at`, without a credential: each response and each attempt of a webhook has a new URL. It responds 503 with `Retry-After` until the file is downloaded, 404 if the download failed, 403 after the expiry. Null in webhooks of a service that does not know its own public URL.
             * @example https://api.example.com/media/0190a1b2-0000-8000-8000-00000000001a?expires=1777890600&signature=wJalrXUtnFEMI_K7MDENG-bPxRfiCYEXAMPLEKEY0123
             */
            readonly url: string | null;
        };
        readonly AttachmentsCreateQuery: {
            /** @description The file's name, if the body is the file's bytes. A form has it beside the file. */
            readonly file_name?: string;
            /**
             * Format: uuid
             * @description The workspace whose conversations it is sent in.
             */
            readonly workspace_id: string;
        };
        /**
         * @description A change of credentials or status, with its actor and time.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000016",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "actor": "admin",
         *       "action": "api_key.issued",
         *       "subject_id": "0190a1b2-0000-7000-8000-000000000012",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly AuditEntry: {
            /** @example api_key.issued */
            readonly action: string;
            /** @example admin */
            readonly actor: string;
            /**
             * Format: uuid
             * @description Null if it concerns the whole workspace.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000016
             */
            readonly id: string;
            /**
             * Format: uuid
             * @description Id of the changed resource.
             * @example 0190a1b2-0000-7000-8000-000000000012
             */
            readonly subject_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description What a customer may answer, by its `type`. Choices are options if the channel has them, else a numbered list, and are chosen by number or text; a choice may lead to a step of its own.
         * @example {
         *       "type": "choice",
         *       "choices": [
         *         {
         *           "value": "prices",
         *           "text": "Prices"
         *         },
         *         {
         *           "value": "support",
         *           "text": "Talk to a person",
         *           "go_to": "person"
         *         }
         *       ]
         *     }
         * @example {
         *       "type": "number",
         *       "min": 1,
         *       "max": 10
         *     }
         * @example {
         *       "type": "yes_no"
         *     }
         */
        readonly BotExpectedAnswer: {
            readonly max_length?: number;
            /** @enum {string} */
            readonly type: "text";
        } | {
            readonly max?: number | null;
            readonly min?: number | null;
            /** @enum {string} */
            readonly type: "number";
        } | {
            /** @enum {string} */
            readonly type: "email";
        } | {
            /** @enum {string} */
            readonly type: "phone";
        } | {
            /** @enum {string} */
            readonly type: "date";
        } | {
            /** @enum {string} */
            readonly type: "yes_no";
        } | {
            readonly choices: readonly {
                readonly go_to?: string | null;
                readonly text: string;
                readonly value: string;
            }[];
            /** @enum {string} */
            readonly type: "choice";
        };
        /**
         * @description A bot to create. Default: inactive.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Qualification",
         *       "status": "active",
         *       "start": {
         *         "keywords": [
         *           "demo"
         *         ],
         *         "new_conversation_on": [
         *           "0190a1b2-0000-7000-8000-000000000003"
         *         ]
         *       },
         *       "greeting": "Hello {{contact.first_name}}!",
         *       "steps": [
         *         {
         *           "key": "need",
         *           "type": "ask",
         *           "text": "What can we do for you?",
         *           "expect": {
         *             "type": "choice",
         *             "choices": [
         *               {
         *                 "value": "prices",
         *                 "text": "Prices"
         *               },
         *               {
         *                 "value": "support",
         *                 "text": "Talk to a person",
         *                 "go_to": "person"
         *               }
         *             ]
         *           }
         *         },
         *         {
         *           "key": "email",
         *           "type": "ask",
         *           "text": "Where may we write to?",
         *           "expect": {
         *             "type": "email"
         *           },
         *           "tries": 2
         *         },
         *         {
         *           "key": "thanks",
         *           "type": "finish",
         *           "text": "Thank you, we will write to {{answers.email}}."
         *         },
         *         {
         *           "key": "person",
         *           "type": "hand_off",
         *           "text": "One moment.",
         *           "team_id": "0190a1b2-0000-7000-8000-000000000009"
         *         }
         *       ],
         *       "time_out": "30m",
         *       "time_out_text": "Write again whenever you like."
         *     }
         */
        readonly BotInput: {
            /**
             * @description Sent before the first step; null: nothing.
             * @example Hello {{contact.first_name}}!
             */
            readonly greeting?: string | null;
            readonly name: string;
            /** @description Keywords that start it if a message consists of one; connections whose new conversations start it. */
            readonly start?: {
                readonly keywords?: readonly string[];
                readonly new_conversation_on?: readonly string[];
            };
            /** @enum {string} */
            readonly status?: "active" | "inactive";
            /** @description Its messages and questions, in this order; if empty, the host's responder answers. */
            readonly steps?: readonly components["schemas"]["BotStep"][];
            /**
             * @description Timeout of an answer; the dialogue then ends.
             * @example 90s
             * @example 10m
             * @example 2h
             * @example 3d
             */
            readonly time_out?: string;
            /**
             * @description Sent when it ends without an answer; null: nothing.
             * @example Write again whenever you like.
             */
            readonly time_out_text?: string | null;
            /** Format: uuid */
            readonly workspace_id: string;
        };
        /**
         * @description What to change; each part of the script is replaced as a whole. Running dialogues continue with the former script.
         * @example {
         *       "status": "active"
         *     }
         * @example {
         *       "greeting": "Good day!"
         *     }
         */
        readonly BotPatch: {
            /**
             * @description Sent before the first step; null: nothing.
             * @example Hello {{contact.first_name}}!
             */
            readonly greeting?: string | null;
            readonly name?: string;
            /** @description Keywords that start it if a message consists of one; connections whose new conversations start it. */
            readonly start?: {
                readonly keywords?: readonly string[];
                readonly new_conversation_on?: readonly string[];
            };
            /** @enum {string} */
            readonly status?: "active" | "inactive";
            /** @description Its messages and questions, in this order; if empty, the host's responder answers. */
            readonly steps?: readonly components["schemas"]["BotStep"][];
            /**
             * @description Timeout of an answer; the dialogue then ends.
             * @example 90s
             * @example 10m
             * @example 2h
             * @example 3d
             */
            readonly time_out?: string;
            /**
             * @description Sent when it ends without an answer; null: nothing.
             * @example Write again whenever you like.
             */
            readonly time_out_text?: string | null;
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        /**
         * @description A bot's dialogue in a conversation. A conversation has at most one active dialogue.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000b",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "bot_id": "0190a1b2-0000-7000-8000-00000000000a",
         *       "bot_name": "Qualification",
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "application_id": null,
         *       "workflow_run_id": null,
         *       "status": "completed",
         *       "outcome": "finished",
         *       "reason": null,
         *       "step": null,
         *       "tries": 0,
         *       "answers": {
         *         "need": "prices",
         *         "email": "ada@example.com"
         *       },
         *       "started_at": "2026-05-04T08:30:00.000Z",
         *       "expires_at": "2026-05-04T09:00:00.000Z",
         *       "ended_at": "2026-05-04T08:31:12.500Z"
         *     }
         */
        readonly BotSession: {
            /**
             * @description Collected answers, by the keys of their steps.
             * @example {
             *       "need": "prices",
             *       "email": "ada@example.com"
             *     }
             */
            readonly answers: {
                readonly [key: string]: string | number | boolean;
            };
            /**
             * Format: uuid
             * @description Application whose event started the run that started it; only this application receives its events. Null without a run.
             */
            readonly application_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000a
             */
            readonly bot_id: string;
            /** @example Qualification */
            readonly bot_name: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string;
            /** @example 2026-05-04T08:31:12.500Z */
            readonly ended_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description When it times out without an answer.
             * @example 2026-05-04T09:00:00.000Z
             */
            readonly expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000b
             */
            readonly id: string;
            /**
             * @description Outcome, if it ended without a handover.
             * @example finished
             * @enum {string|null}
             */
            readonly outcome: "finished" | "timed_out" | "stopped" | "failed" | null;
            /** @description In English: why it failed, was handed off by the host, or ended without its last text. Else null. */
            readonly reason: string | null;
            readonly started_at: components["schemas"]["Timestamp"];
            /**
             * @example completed
             * @enum {string}
             */
            readonly status: "active" | "handed_off" | "completed";
            /** @description Key of the step that waits for an answer. */
            readonly step: string | null;
            /**
             * @description How often the question was asked.
             * @example 0
             */
            readonly tries: number;
            /**
             * Format: uuid
             * @description The run that started it.
             */
            readonly workflow_run_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        readonly BotsListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly BotsListSessionsQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * @description Only those with this status.
             * @enum {string}
             */
            readonly status?: "active" | "handed_off" | "completed";
        };
        /**
         * @description A message or a question, by its `type`. `go_to` is the key of the step that follows. Default: the next step. Text may have placeholders: `{{answers.<key>}}`, `{{contact.<field>}}`, and, if a workflow started the bot, `{{data.<key>}}`.
         * @example {
         *       "key": "email",
         *       "type": "ask",
         *       "text": "Where may we write to?",
         *       "expect": {
         *         "type": "email"
         *       },
         *       "tries": 2
         *     }
         * @example {
         *       "key": "hours",
         *       "type": "say",
         *       "text": "We are there from 9 to 5."
         *     }
         * @example {
         *       "key": "place",
         *       "type": "say",
         *       "content": {
         *         "type": "location",
         *         "latitude": 52.52,
         *         "longitude": 13.405,
         *         "name": "Our shop"
         *       }
         *     }
         * @example {
         *       "key": "person",
         *       "type": "hand_off",
         *       "text": "One moment.",
         *       "team_id": "0190a1b2-0000-7000-8000-000000000009"
         *     }
         * @example {
         *       "key": "thanks",
         *       "type": "finish",
         *       "text": "Thank you, we will write to {{answers.email}}."
         *     }
         */
        readonly BotStep: {
            readonly attachments?: readonly {
                readonly content_type?: string;
                readonly file_name?: string | null;
                readonly url: string;
            }[] | null;
            /** @description `message.content` of a send, with its `type`. Its texts may have placeholders. */
            readonly content?: {
                readonly address?: string | null;
                readonly latitude: number;
                readonly longitude: number;
                readonly name?: string | null;
                /** @enum {string} */
                readonly type: "location";
                readonly url?: string | null;
            } | {
                readonly contacts: readonly {
                    readonly emails?: readonly string[] | null;
                    readonly name: string;
                    readonly organization?: string | null;
                    readonly phones?: readonly string[] | null;
                }[];
                /** @enum {string} */
                readonly type: "contacts";
            } | {
                readonly button?: string | null;
                readonly options: readonly {
                    readonly description?: string | null;
                    readonly id: string;
                    readonly title: string;
                }[];
                /** @enum {string} */
                readonly type: "choices";
            } | null;
            readonly go_to?: string | null;
            readonly key: string;
            readonly text?: string | null;
            /** @enum {string} */
            readonly type: "say";
        } | {
            /**
             * any
             * @description What a customer may answer, by its `type`. Choices are options if the channel has them, else a numbered list, and are chosen by number or text; a choice may lead to a step of its own.
             * @example {
             *       "type": "choice",
             *       "choices": [
             *         {
             *           "value": "prices",
             *           "text": "Prices"
             *         },
             *         {
             *           "value": "support",
             *           "text": "Talk to a person",
             *           "go_to": "person"
             *         }
             *       ]
             *     }
             * @example {
             *       "type": "number",
             *       "min": 1,
             *       "max": 10
             *     }
             * @example {
             *       "type": "yes_no"
             *     }
             */
            readonly expect?: components["schemas"]["BotExpectedAnswer"];
            readonly go_to?: string | null;
            readonly invalid?: string | null;
            readonly key: string;
            readonly text: string;
            readonly tries?: number;
            /** @enum {string} */
            readonly type: "ask";
        } | {
            /** Format: uuid */
            readonly agent_id?: string | null;
            readonly key: string;
            /** Format: uuid */
            readonly team_id?: string | null;
            readonly text?: string | null;
            /** @enum {string} */
            readonly type: "hand_off";
        } | {
            readonly key: string;
            readonly text?: string | null;
            /** @enum {string} */
            readonly type: "finish";
        };
        /**
         * @description What the channel can do.
         * @example {
         *       "text_max_length": 4096,
         *       "templates": true,
         *       "delivery_receipts": true,
         *       "read_receipts": true,
         *       "service_window_hours": 24,
         *       "types": [
         *         "text",
         *         "template",
         *         "media",
         *         "location",
         *         "choices",
         *         "reaction"
         *       ],
         *       "receives": [
         *         "text",
         *         "media",
         *         "location",
         *         "choice",
         *         "reaction",
         *         "unsupported"
         *       ],
         *       "choices": {
         *         "options": 10,
         *         "question_length": 1024,
         *         "title_length": 24,
         *         "id_length": 200,
         *         "description_length": 72,
         *         "button_length": 20
         *       },
         *       "files": {
         *         "count": 1,
         *         "per_send": 10,
         *         "bytes": 26214400,
         *         "bytes_by_type": {
         *           "image": 8388608,
         *           "video": 26214400,
         *           "audio": 26214400,
         *           "document": 26214400
         *         },
         *         "types": null,
         *         "caption_length": 1024
         *       },
         *       "location_urls": false,
         *       "reactions": null,
         *       "quotes": true,
         *       "typing": true,
         *       "read_marks": true
         *     }
         */
        readonly Capabilities: {
            /**
             * @description Limits of the type `choices`: the number of options, and lengths in characters; null: that of a text; 0: not shown.
             * @example {
             *       "options": 10,
             *       "question_length": 1024,
             *       "title_length": 24,
             *       "id_length": 200,
             *       "description_length": 72,
             *       "button_length": 20
             *     }
             */
            readonly choices: {
                readonly button_length: number;
                readonly description_length: number;
                readonly id_length: number;
                readonly options: number;
                readonly question_length: number | null;
                readonly title_length: number;
            } | null;
            /** @example true */
            readonly delivery_receipts: boolean;
            /**
             * @description Limits of the type `media`: the number of files in one message, and of a send, whose files become several messages if they are more; the size of each in bytes, at most, and by its type.
             * @example {
             *       "count": 1,
             *       "per_send": 10,
             *       "bytes": 26214400,
             *       "bytes_by_type": {
             *         "image": 8388608,
             *         "video": 26214400,
             *         "audio": 26214400,
             *         "document": 26214400
             *       },
             *       "types": null,
             *       "caption_length": 1024
             *     }
             */
            readonly files: {
                readonly bytes: number;
                readonly bytes_by_type: {
                    readonly audio: number;
                    readonly document: number;
                    readonly image: number;
                    readonly video: number;
                };
                readonly caption_length: number | null;
                readonly count: number;
                readonly per_send: number;
                readonly types: readonly string[] | null;
            } | null;
            /**
             * @description Whether a location that is sent can have a `url`.
             * @example false
             */
            readonly location_urls: boolean;
            /**
             * @description Whether a send can quote a message.
             * @example true
             */
            readonly quotes: boolean;
            /**
             * @description The emoji that a `reaction` can have, where the channel takes the type; null: any emoji.
             * @example null
             */
            readonly reactions: readonly string[] | null;
            /**
             * @description Whether `POST /conversations/{id}/read` shows the customer that the business has read the messages.
             * @example true
             */
            readonly read_marks: boolean;
            /** @example true */
            readonly read_receipts: boolean;
            /**
             * @description The values of `type` that messages of customers can have.
             * @example [
             *       "text",
             *       "media",
             *       "location",
             *       "choice",
             *       "reaction",
             *       "unsupported"
             *     ]
             */
            readonly receives: readonly ("text" | "template" | "media" | "location" | "contacts" | "choices" | "choice" | "form" | "order" | "reaction" | "edit" | "deletion" | "system" | "unsupported")[];
            /**
             * @description Hours after a customer's message in which free text is allowed; null: at any time.
             * @example 24
             */
            readonly service_window_hours: number | null;
            /** @example true */
            readonly templates: boolean;
            /**
             * @description Maximum length of a text in characters; null: no limit.
             * @example 4096
             */
            readonly text_max_length: number | null;
            /**
             * @description The values of `type` that `POST /messages` takes on the channel.
             * @example [
             *       "text",
             *       "template",
             *       "media",
             *       "location",
             *       "choices",
             *       "reaction"
             *     ]
             */
            readonly types: readonly ("text" | "template" | "media" | "location" | "contacts" | "choices" | "reaction")[];
            /**
             * @description Whether `POST /conversations/{id}/typing` shows the customer that the business types.
             * @example true
             */
            readonly typing: boolean;
        };
        /**
         * @description An option that the customer chose.
         * @example {
         *       "type": "choice",
         *       "id": "tuesday",
         *       "title": "Tuesday"
         *     }
         */
        readonly ChoiceContent: {
            /**
             * @description Id of the option: the payload of a button, the id of a list row. Null if the channel has none.
             * @example tuesday
             */
            readonly id: string | null;
            /**
             * @description `repeated`: the customer has chosen an option of the same question before. `late`: the business has asked another question since. Else `first`. Absent if the question is not known.
             * @enum {string}
             */
            readonly timing?: "first" | "late" | "repeated";
            /**
             * @description Label of the option, or its id if the channel does not return the label.
             * @example Tuesday
             */
            readonly title: string;
            /** @enum {string} */
            readonly type: "choice";
        };
        /**
         * @description A question with options; `body` is the question.
         * @example {
         *       "type": "choices",
         *       "options": [
         *         {
         *           "id": "tuesday",
         *           "title": "Tuesday",
         *           "description": null
         *         }
         *       ],
         *       "button": null
         *     }
         */
        readonly ChoicesContent: {
            /**
             * @description Label of the button that opens a list of options, if the channel has lists.
             * @example null
             */
            readonly button: string | null;
            /** @description At least one. */
            readonly options: readonly {
                /**
                 * @description Second line of the option, if the channel shows one.
                 * @example null
                 */
                readonly description: string | null;
                /**
                 * @description Returned as `id` of the customer's choice.
                 * @example tuesday
                 */
                readonly id: string;
                /**
                 * @description Label of the option.
                 * @example Tuesday
                 */
                readonly title: string;
            }[];
            /** @enum {string} */
            readonly type: "choices";
        };
        /**
         * @description An account on a channel; its credentials are never shown.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000003",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "channel": "whatsapp",
         *       "provider": "sandbox",
         *       "name": "Shop",
         *       "handle": "+4930123456",
         *       "status": "active",
         *       "is_test": true,
         *       "config": {},
         *       "webhook_url": null,
         *       "held_until": null,
         *       "capabilities": {
         *         "text_max_length": 4096,
         *         "templates": true,
         *         "delivery_receipts": true,
         *         "read_receipts": true,
         *         "service_window_hours": 24,
         *         "types": [
         *           "text",
         *           "template",
         *           "media",
         *           "location",
         *           "choices",
         *           "reaction"
         *         ],
         *         "receives": [
         *           "text",
         *           "media",
         *           "location",
         *           "choice",
         *           "reaction",
         *           "unsupported"
         *         ],
         *         "choices": {
         *           "options": 10,
         *           "question_length": 1024,
         *           "title_length": 24,
         *           "id_length": 200,
         *           "description_length": 72,
         *           "button_length": 20
         *         },
         *         "files": {
         *           "count": 1,
         *           "per_send": 10,
         *           "bytes": 26214400,
         *           "bytes_by_type": {
         *             "image": 8388608,
         *             "video": 26214400,
         *             "audio": 26214400,
         *             "document": 26214400
         *           },
         *           "types": null,
         *           "caption_length": 1024
         *         },
         *         "location_urls": false,
         *         "reactions": null,
         *         "quotes": true,
         *         "typing": true,
         *         "read_marks": true
         *       },
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Connection: {
            readonly capabilities: components["schemas"]["Capabilities"];
            /**
             * Format: channel
             * @example whatsapp
             */
            readonly channel: ChannelName;
            readonly config: Record<string, unknown>;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example +4930123456 */
            readonly handle: string;
            /** @description End of the vendor's throttle; waiting messages keep their order. Null without a throttle. */
            readonly held_until: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly id: string;
            /** @example true */
            readonly is_test: boolean;
            /** @example Shop */
            readonly name: string;
            /** @example sandbox */
            readonly provider: string;
            /** @enum {string} */
            readonly status: "active" | "paused" | "disconnected";
            /** @description URL at which the vendor calls Parley; null if the vendor does not call. */
            readonly webhook_url: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description Result of a connection test.
         * @example {
         *       "status": "working",
         *       "detail": "The sandbox works always. It sends no messages to customers."
         *     }
         */
        readonly ConnectionCheck: {
            /**
             * @description What works, or what to do.
             * @example The sandbox works always. It sends no messages to customers.
             */
            readonly detail: string;
            /** @enum {string} */
            readonly status: "working" | "failing";
        };
        /**
         * @description A channel to connect.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "channel": "whatsapp",
         *       "provider": "sandbox",
         *       "name": "Shop",
         *       "handle": "+4930123456",
         *       "is_test": true
         *     }
         */
        readonly ConnectionInput: {
            /**
             * Format: channel
             * @description A channel that a provider of the host serves.
             * @example whatsapp
             */
            readonly channel: ChannelName;
            /** @description Settings, as the provider defines them. */
            readonly config?: Record<string, unknown> | null;
            /** @description Secrets, as the provider defines them; they are never shown again. */
            readonly credentials?: Record<string, unknown> | null;
            /**
             * @description The business's own handle on the channel.
             * @example +4930123456
             */
            readonly handle: string;
            /** @example true */
            readonly is_test?: boolean;
            /** @example Shop */
            readonly name: string;
            /**
             * @description Kind of the provider.
             * @example sandbox
             */
            readonly provider: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description What to change; `config` and `credentials` are replaced as a whole.
         * @example {
         *       "status": "paused"
         *     }
         */
        readonly ConnectionPatch: {
            /** @description May be repeated, but not changed. */
            readonly channel?: unknown;
            readonly config?: Record<string, unknown> | null;
            readonly credentials?: Record<string, unknown> | null;
            /** @description May be repeated, but not changed. */
            readonly handle?: unknown;
            /** @description May be repeated, but not changed. */
            readonly is_test?: unknown;
            readonly name?: string;
            /** @description May be repeated, but not changed. */
            readonly provider?: unknown;
            /** @enum {string} */
            readonly status?: "active" | "paused" | "disconnected";
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly ConnectionsListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description An entry of a contact's history.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000005",
         *       "at": "2026-05-04T08:30:00.000Z",
         *       "type": "message_sent",
         *       "subject_type": "message",
         *       "subject_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "channel": "whatsapp",
         *       "status": "read",
         *       "explanation": "To +4915112345678, by an application, sent 2026-05-04T08:30:00.412Z, delivered 2026-05-04T08:30:01.030Z, read 2026-05-04T08:31:12.500Z: \"Hello Ada, your order 1042 is on its way.\""
         *     }
         */
        readonly ContactHistoryEntry: {
            readonly at: components["schemas"]["Timestamp"];
            /** Format: channel */
            readonly channel: ChannelName;
            /** @description For people; its wording may change. */
            readonly explanation: string;
            /**
             * Format: uuid
             * @description Unique in a history.
             * @example 0190a1b2-0000-7000-8000-00000000000e
             */
            readonly id: string;
            /** @description The present status of a message, conversation, task, workflow run or bot session. */
            readonly status: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly subject_id: string;
            /**
             * @description The kind of the resource.
             * @enum {string}
             */
            readonly subject_type: "contact" | "conversation" | "message" | "lead" | "task" | "event" | "workflow_run" | "bot_session";
            /** @enum {string} */
            readonly type: "contact_created" | "contact_changed" | "contact_merged" | "opt_out" | "opt_in" | "message_received" | "message_sent" | "conversation_opened" | "conversation_assigned" | "conversation_status_changed" | "lead_opened" | "lead_moved" | "task_opened" | "event_received" | "run_started" | "bot_started";
        };
        /**
         * @description What to change. `tags` and `identities` are replaced as a whole, custom fields one by one; null clears a field.
         * @example {
         *       "tags": [
         *         "vip"
         *       ],
         *       "custom_fields": {
         *         "shoe_size": 39
         *       },
         *       "opted_out": false
         *     }
         */
        readonly ContactPatch: {
            readonly city?: string | null;
            readonly company?: string | null;
            readonly country?: string | null;
            readonly custom_fields?: Record<string, unknown> | null;
            /** @description Claims this address for the contact, and releases the former one. */
            readonly email?: string | null;
            /** @description Values that you have read. If one of them has changed since, the response is 409 `invalid_transition`, `details` names it, and nothing changes. */
            readonly expect?: {
                readonly city?: string | null;
                readonly company?: string | null;
                readonly country?: string | null;
                readonly email?: string | null;
                readonly first_name?: string | null;
                readonly job_title?: string | null;
                readonly language?: string | null;
                readonly last_name?: string | null;
                /** @enum {string} */
                readonly lifecycle_stage?: "lead" | "prospect" | "customer" | "churned";
                readonly marketing_opted_out?: boolean;
                readonly opted_out?: boolean;
                readonly phone?: string | null;
                readonly tags?: readonly string[];
                readonly timezone?: string | null;
            };
            readonly first_name?: string | null;
            /** @description `email` and `phone` stay among them. */
            readonly identities?: readonly {
                /** @enum {string} */
                readonly channel: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
                readonly handle: string;
            }[] | null;
            readonly job_title?: string | null;
            readonly language?: string | null;
            readonly last_name?: string | null;
            /** @enum {string} */
            readonly lifecycle_stage?: "lead" | "prospect" | "customer" | "churned";
            readonly marketing_opted_out?: boolean;
            readonly opted_out?: boolean;
            /** @description Claims this number for the contact, and releases the former one. */
            readonly phone?: string | null;
            readonly tags?: readonly string[] | null;
            readonly timezone?: string | null;
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        /**
         * @description Contacts from an address book.
         * @example {
         *       "type": "contacts",
         *       "contacts": [
         *         {
         *           "name": "Ada Lovelace",
         *           "organization": null,
         *           "phones": [
         *             "+4930123456"
         *           ],
         *           "emails": []
         *         }
         *       ]
         *     }
         */
        readonly ContactsContent: {
            /** @description At least one. */
            readonly contacts: readonly {
                /**
                 * @description Email addresses.
                 * @example []
                 */
                readonly emails: readonly string[];
                /**
                 * @description Full name.
                 * @example Ada Lovelace
                 */
                readonly name: string;
                /**
                 * @description Company of the person.
                 * @example null
                 */
                readonly organization: string | null;
                /**
                 * @description Phone numbers, as the sender's address book has them.
                 * @example [
                 *       "+4930123456"
                 *     ]
                 */
                readonly phones: readonly string[];
            }[];
            /** @enum {string} */
            readonly type: "contacts";
        };
        readonly ContactsHistoryQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /** @description Only entries of this date or time or later. */
            readonly since?: string;
        };
        readonly ContactsListQuery: {
            /**
             * @description Only those on this channel.
             * @enum {string}
             */
            readonly channel?: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Only the contact with this handle; requires `workspace_id`. */
            readonly handle?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly ContactsSearchQuery: {
            /** @description Only those on this channel. */
            readonly channel?: string;
            /** @description Only those created after this date or time. */
            readonly created_after?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /**
             * @description Only contacts in this stage.
             * @enum {string}
             */
            readonly lifecycle_stage?: "lead" | "prospect" | "customer" | "churned";
            /** @description Page size. */
            readonly limit?: number;
            /** @description Free text in name, phone, email and company. */
            readonly search?: string;
            /** @description Only contacts that carry this tag. */
            readonly tag?: string;
            /**
             * Format: uuid
             * @description The workspace to search.
             */
            readonly workspace_id: string;
        };
        /**
         * @description What to change. Every change of the status is allowed; null unassigns.
         * @example {
         *       "assigned_user_id": "0190a1b2-0000-7000-8000-000000000008",
         *       "expect": {
         *         "assigned_user_id": null
         *       }
         *     }
         */
        readonly ConversationPatch: {
            /**
             * Format: uuid
             * @description A team of the workspace.
             */
            readonly assigned_team_id?: string | null;
            /**
             * Format: uuid
             * @description An active agent of the workspace.
             */
            readonly assigned_user_id?: string | null;
            /** @description May be repeated, but not changed. */
            readonly connection_id?: unknown;
            /** @description May be repeated, but not changed. */
            readonly contact_id?: unknown;
            /** @description Values that you have read. If one of them has changed since, the response is 409 `invalid_transition`, `details` names it, and nothing changes. */
            readonly expect?: {
                /** Format: uuid */
                readonly assigned_team_id?: string | null;
                /** Format: uuid */
                readonly assigned_user_id?: string | null;
                /** @enum {string} */
                readonly status?: "open" | "pending" | "resolved" | "closed";
            };
            /** @enum {string} */
            readonly status?: "open" | "pending" | "resolved" | "closed";
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly ConversationsListQuery: {
            /**
             * Format: uuid
             * @description Only those assigned to this team.
             */
            readonly assigned_team_id?: string;
            /**
             * Format: uuid
             * @description Only those assigned to this agent.
             */
            readonly assigned_user_id?: string;
            /**
             * Format: uuid
             * @description Only those on this connection.
             */
            readonly connection_id?: string;
            /**
             * Format: uuid
             * @description Only those of this contact.
             */
            readonly contact_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /** @description Only those with activity on this date or time or later. */
            readonly since?: string;
            /**
             * @description Only those with this status.
             * @enum {string}
             */
            readonly status?: "open" | "pending" | "resolved" | "closed";
            /** @description Only those without an agent; with `assigned_team_id`, those that wait in the team. */
            readonly unassigned?: boolean;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description A field that the workspace adds to its contacts.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "key": "shoe_size",
         *       "type": "number",
         *       "label": "Shoe size"
         *     }
         */
        readonly CustomField: {
            /** @example shoe_size */
            readonly key: string;
            /** @example Shoe size */
            readonly label: string;
            /**
             * @example number
             * @enum {string}
             */
            readonly type: "text" | "number" | "boolean" | "date";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A field to add to the workspace's contacts.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "key": "shoe_size",
         *       "type": "number",
         *       "label": "Shoe size"
         *     }
         */
        readonly CustomFieldInput: {
            /**
             * @description The name of the field in `custom_fields`.
             * @example shoe_size
             */
            readonly key: string;
            /** @example Shoe size */
            readonly label: string;
            /**
             * @example number
             * @enum {string}
             */
            readonly type: "text" | "number" | "boolean" | "date";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        readonly CustomFieldsListQuery: {
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id: string;
        };
        /**
         * @description The message in `quoted` was deleted, by its author or, where the vendor does not say by whom, by either side.
         * @example {
         *       "type": "deletion"
         *     }
         */
        readonly DeletionContent: {
            /** @enum {string} */
            readonly type: "deletion";
        };
        /**
         * @description Expected result of one action.
         * @example {
         *       "position": 0,
         *       "type": "send_message",
         *       "name": "on WhatsApp",
         *       "outcome": "done",
         *       "detail": "the message 0190a1b2-0000-7000-8000-000000000005 was delivered",
         *       "started_at": "2026-05-04T08:30:00.000Z",
         *       "ended_at": "2026-05-04T08:30:01.030Z",
         *       "attempts": 1,
         *       "says": "Hello Ada, your order 1042 is on its way."
         *     }
         */
        readonly DryWorkflowStep: {
            /** @description Number of attempts. */
            readonly attempts: number;
            /**
             * @description Result or reason, for people; its wording may change.
             * @example the message 0190a1b2-0000-7000-8000-000000000005 was delivered
             */
            readonly detail: string;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly ended_at: components["schemas"]["Timestamp"];
            /**
             * @description Name by which later conditions refer to this action.
             * @example on WhatsApp
             */
            readonly name: string | null;
            /**
             * @description `skipped`: its `if` did not hold.
             * @enum {string}
             */
            readonly outcome: "done" | "failed" | "skipped";
            /**
             * @description Position of the action in the definition, from 0.
             * @example 0
             */
            readonly position: number;
            /**
             * @description The text of a message, or the JSON of a call; null for other actions.
             * @example Hello Ada, your order 1042 is on its way.
             */
            readonly says: string | null;
            readonly started_at: components["schemas"]["Timestamp"];
            /** @example send_message */
            readonly type: string;
        };
        /**
         * @description The message in `quoted` was edited; `body` is its new text.
         * @example {
         *       "type": "edit"
         *     }
         */
        readonly EditContent: {
            /** @enum {string} */
            readonly type: "edit";
        };
        /**
         * @description A webhook endpoint to register.
         * @example {
         *       "url": "https://shop.example.org/hooks/parley",
         *       "events": [
         *         "message.delivered",
         *         "message.failed"
         *       ],
         *       "secret": null
         *     }
         */
        readonly EndpointInput: {
            readonly description?: string | null;
            /**
             * @description Event types, or `*` for all of them.
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            readonly events: readonly ("message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test" | "*")[];
            /**
             * @description The signing secret. Default: a generated one.
             * @example null
             */
            readonly secret?: string | null;
            /**
             * @description An https URL; it must respond within 10 seconds.
             * @example https://shop.example.org/hooks/parley
             */
            readonly url: string;
        };
        /**
         * @description What to change. `active` resets the count of failures and resumes pending deliveries.
         * @example {
         *       "status": "active"
         *     }
         */
        readonly EndpointPatch: {
            readonly description?: string | null;
            readonly events?: readonly ("message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test" | "*")[];
            /** @description Replaces the signing secret at once. */
            readonly secret?: string;
            /** @enum {string} */
            readonly status?: "active" | "disabled";
            readonly url?: string;
        };
        /**
         * @description An error. Branch on `code`.
         * @example {
         *       "code": "validation_failed",
         *       "message": "Invalid data.",
         *       "details": {
         *         "to": [
         *           "is required"
         *         ],
         *         "message.variables": [
         *           "must have exactly 2 items, one for each slot"
         *         ]
         *       },
         *       "request_id": "0190a1b2-0000-7000-8000-00000000000f"
         *     }
         */
        readonly ErrorBody: {
            /**
             * @description Branch on this.
             * @example validation_failed
             * @enum {string}
             */
            readonly code: "unauthenticated" | "forbidden" | "not_found" | "validation_failed" | "rate_limited" | "idempotency_conflict" | "identity_already_claimed" | "connection_owned_elsewhere" | "channel_unavailable" | "provider_error" | "template_not_approved" | "outside_service_window" | "account_suspended" | "method_not_allowed" | "payload_too_large" | "internal_error" | "bad_request" | "service_unavailable" | "google_email_not_invited" | "channel_setup_failed" | "insufficient_balance" | "invitation_not_found" | "invitation_expired" | "invitation_revoked" | "invitation_resend_throttled" | "google_email_mismatch" | "invitation_not_accepted" | "registration_closed" | "verification_failed" | "workspace_unavailable" | "workspace_suspended" | "invalid_tenant_transition" | "invalid_transition" | "mode_switch_in_progress" | "ownership_required" | "feature_not_in_plan" | "limit_reached" | "plan_change_refused" | "plan_in_use" | "nothing_owed" | "refund_refused" | "method_disabled_by_platform" | "whatsapp_sender_not_configured" | "coupon_invalid" | "coupon_expired" | "coupon_exhausted" | "coupon_not_applicable" | "coupon_already_used";
            /**
             * @description For `validation_failed`, the problems of each field by its name, such as `message.template`; otherwise the details of the code.
             * @example {
             *       "to": [
             *         "is required"
             *       ],
             *       "message.variables": [
             *         "must have exactly 2 items, one for each slot"
             *       ]
             *     }
             */
            readonly details: Record<string, unknown>;
            /**
             * @description For people to read.
             * @example Invalid data.
             */
            readonly message: string;
            /**
             * Format: uuid
             * @description Equals the X-Request-ID header.
             * @example 0190a1b2-0000-7000-8000-00000000000f
             */
            readonly request_id: string;
        };
        /**
         * @description What webhooks report: a change of state, a refused request of a transaction, or a test of an endpoint.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000e",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "connection_id": null,
         *       "subject_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "type": "message.delivered",
         *       "data": {
         *         "message": {
         *           "id": "0190a1b2-0000-7000-8000-000000000005",
         *           "status": "delivered"
         *         }
         *       },
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Event: {
            /**
             * Format: uuid
             * @description The application whose message or run it is about; null if every application may see it.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            /**
             * Format: uuid
             * @description Null if it is about no connection.
             */
            readonly connection_id: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * @description The state at the commit: `data` of the webhook of this type, in the document of the public interface.
             * @example {
             *       "message": {
             *         "id": "0190a1b2-0000-7000-8000-000000000005",
             *         "status": "delivered"
             *       }
             *     }
             */
            readonly data: Record<string, unknown>;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000e
             */
            readonly id: string;
            /**
             * Format: uuid
             * @description Id of the resource that changed.
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly subject_id: string;
            /**
             * @example message.delivered
             * @enum {string}
             */
            readonly type: "message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A form that the customer completed.
         * @example {
         *       "type": "form",
         *       "name": null,
         *       "answers": {
         *         "size": "L"
         *       }
         *     }
         */
        readonly FormContent: {
            /**
             * @description The answers by field, as the vendor returns them.
             * @example {
             *       "size": "L"
             *     }
             */
            readonly answers: Record<string, unknown>;
            /**
             * @description Name of the form at the vendor.
             * @example null
             */
            readonly name: string | null;
            /** @enum {string} */
            readonly type: "form";
        };
        /**
         * @description Result of one step of an import of history.
         * @example {
         *       "imported": 120,
         *       "known": 3,
         *       "cursor": "next",
         *       "detail": null
         *     }
         */
        readonly HistoryImport: {
            /**
             * @description Give it to the next call, which goes on there. Null: there is nothing more to read.
             * @example next
             */
            readonly cursor: string | null;
            /** @description What happens next, where the vendor sends the history to the webhook later; else null. */
            readonly detail: string | null;
            /**
             * @description Number of messages that were stored, or completed by their files.
             * @example 120
             */
            readonly imported: number;
            /**
             * @description Number of messages that were stored already.
             * @example 3
             */
            readonly known: number;
        };
        /**
         * @description The part of the history to import.
         * @example {}
         */
        readonly HistoryImportInput: {
            /** @description `cursor` of the previous response. Default: from the start. */
            readonly cursor?: string | null;
        };
        /**
         * @description A handle on a channel; it belongs to this contact alone.
         * @example {
         *       "channel": "telegram",
         *       "handle": "ada_l",
         *       "display_name": "Ada"
         *     }
         */
        readonly Identity: {
            /**
             * @example telegram
             * @enum {string}
             */
            readonly channel: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
            /**
             * @description The contact's name on the channel.
             * @example Ada
             */
            readonly display_name: string | null;
            /** @example ada_l */
            readonly handle: string;
        };
        /**
         * @description Contacts to import into a workspace.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "on_known": "update",
         *       "contacts": [
         *         {
         *           "email": "ada@home.example.com",
         *           "first_name": "Ada",
         *           "tags": [
         *             "vip"
         *           ],
         *           "opted_out": false
         *         }
         *       ]
         *     }
         */
        readonly ImportInput: {
            /** @description Each as in `POST /contacts`, and `opted_out`, `marketing_opted_out`; an import never revokes an opt-out. */
            readonly contacts: readonly Record<string, unknown>[];
            /** @description True to see the result without writing anything. */
            readonly dry_run?: boolean | null;
            /**
             * @description How to import a contact that has one of the handles already: `skip` (the default) leaves it unchanged; `update` sets the given fields, and adds handles and tags.
             * @enum {string|null}
             */
            readonly on_known?: "skip" | "update" | null;
            /** Format: uuid */
            readonly workspace_id: string;
        };
        /**
         * @description Result of an import, in the order of the request.
         * @example {
         *       "dry_run": false,
         *       "results": [
         *         {
         *           "index": 0,
         *           "result": "created",
         *           "contact_id": "0190a1b2-0000-7000-8000-0000000000c2",
         *           "details": {}
         *         }
         *       ]
         *     }
         */
        readonly ImportReport: {
            readonly dry_run: boolean;
            readonly results: readonly components["schemas"]["ImportResult"][];
        };
        /**
         * @description Result for one contact of an import.
         * @example {
         *       "index": 0,
         *       "result": "created",
         *       "contact_id": "0190a1b2-0000-7000-8000-0000000000c2",
         *       "details": {}
         *     }
         */
        readonly ImportResult: {
            /**
             * Format: uuid
             * @description Null if it was refused, or if a dry run would create it.
             * @example 0190a1b2-0000-7000-8000-0000000000c2
             */
            readonly contact_id: string | null;
            /** @description Problems of a refused contact, by field. */
            readonly details: Record<string, unknown>;
            /**
             * @description Position in the request, from 0.
             * @example 0
             */
            readonly index: number;
            /** @enum {string} */
            readonly result: "created" | "updated" | "unchanged" | "skipped" | "refused";
        };
        /**
         * @description An API key with the key itself, shown this once.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000012",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "last_four": "stuv",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "revoked_at": null,
         *       "key": "parley_test_0123456789abcdefghijklmnopqrstuv"
         *     }
         */
        readonly IssuedApiKey: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000012
             */
            readonly id: string;
            /** @example parley_test_0123456789abcdefghijklmnopqrstuv */
            readonly key: string;
            /**
             * @description The last four characters, to recognise the key.
             * @example stuv
             */
            readonly last_four: string;
            /** @description When it stopped working. */
            readonly revoked_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description An OAuth client with its secret, shown this once.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000015",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "client_id": "parley_client_0123456789abcdefghijklmn",
         *       "last_four": "stuv",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "revoked_at": null,
         *       "client_secret": "parley_secret_0123456789abcdefghijklmnopqrstuv"
         *     }
         */
        readonly IssuedOAuthClient: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string;
            /** @example parley_client_0123456789abcdefghijklmn */
            readonly client_id: string;
            /** @example parley_secret_0123456789abcdefghijklmnopqrstuv */
            readonly client_secret: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000015
             */
            readonly id: string;
            /**
             * @description The last four characters, to recognise the key.
             * @example stuv
             */
            readonly last_four: string;
            /** @description When it stopped working. */
            readonly revoked_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Work that waits in the queue or runs. A finished job is deleted.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000001e",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "lane": "parked",
         *       "state": "parked",
         *       "task": "fetch_file",
         *       "subject_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "reference_id": "0190a1b2-0000-8000-8000-00000000001a",
         *       "next_run_at": null,
         *       "lease_owner": null,
         *       "attempts": 20,
         *       "failure": {
         *         "lane": "fetches",
         *         "count": 20,
         *         "since": "2026-05-04T08:30:00.000Z",
         *         "error": "TypeError: Cannot read properties of undefined"
         *       },
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Job: {
            /** @description Number of claims; in the lane `sends`, number of calls of the provider. */
            readonly attempts: number;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @description Null if the last try did not fail. */
            readonly failure: {
                /** @description Failures in a row. 0: it waits for a secret key that its host lacks. */
                readonly count: number;
                /** @description The last error. */
                readonly error: string;
                /**
                 * @description The lane of the work.
                 * @enum {string}
                 */
                readonly lane: "sends" | "receipts" | "deliveries" | "retries" | "subscriptions" | "fetches" | "downloads" | "runs" | "calls" | "enqueued" | "housekeeping" | "parked";
                /** @description Time of the first failure, or start of the wait. */
                readonly since: components["schemas"]["Timestamp"];
            } | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000001e
             */
            readonly id: string;
            /**
             * @description Its lane; `parked` after too many failures.
             * @enum {string}
             */
            readonly lane: "sends" | "receipts" | "deliveries" | "retries" | "subscriptions" | "fetches" | "downloads" | "runs" | "calls" | "enqueued" | "housekeeping" | "parked";
            /** @description The process that runs it. */
            readonly lease_owner: string | null;
            /** @description Start of the next try; for a running job, the end of its lease; for a parked send, the time at which its message fails. Null for other parked jobs. */
            readonly next_run_at: components["schemas"]["Timestamp"] | null;
            /** @description Id of the resource that it works on, such as a message, delivery or run. */
            readonly reference_id: string;
            /**
             * @description `leased`: a host runs it. `waiting`: until `next_run_at`. `parked`: until an administrator retries it.
             * @enum {string}
             */
            readonly state: "due" | "leased" | "waiting" | "parked";
            /** @description Id of the resource whose limit it counts against, such as its connection or endpoint. */
            readonly subject_id: string;
            /** @description The kind of work in its lane; null if it has one kind. */
            readonly task: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        readonly JobsListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /**
             * @description Only those in this lane of the queue. `parked`: those that failed too often.
             * @enum {string}
             */
            readonly lane?: "sends" | "receipts" | "deliveries" | "retries" | "subscriptions" | "fetches" | "downloads" | "runs" | "calls" | "enqueued" | "housekeeping" | "parked";
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description Number of jobs in one lane of the queue.
         * @example {
         *       "lane": "deliveries",
         *       "due": 0,
         *       "leased": 2,
         *       "waiting": 14,
         *       "oldest_due_at": null
         *     }
         */
        readonly LaneStatus: {
            /**
             * @description Jobs whose start time has passed and that do not run, counted up to 20,000.
             * @example 0
             */
            readonly due: number;
            /**
             * @example deliveries
             * @enum {string}
             */
            readonly lane: "sends" | "receipts" | "deliveries" | "retries" | "subscriptions" | "fetches" | "downloads" | "runs" | "calls" | "enqueued" | "housekeeping" | "parked";
            /**
             * @description Jobs that a host runs, counted up to 20,000.
             * @example 2
             */
            readonly leased: number;
            /** @description Due time of the oldest due job; null without due jobs. */
            readonly oldest_due_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description Jobs whose start time has not come, counted up to 20,000.
             * @example 14
             */
            readonly waiting: number;
        };
        /**
         * @description The stage to move to, by its key.
         * @example {
         *       "stage": "won"
         *     }
         */
        readonly LeadPatch: {
            /** @description May be repeated, but not changed. */
            readonly contact_id?: unknown;
            /** @description May be repeated, but not changed. */
            readonly currency?: unknown;
            /** @description Values that you have read. If one of them has changed since, the response is 409 `invalid_transition`, `details` names it, and nothing changes. */
            readonly expect?: {
                readonly stage?: string;
            };
            /** @description May be repeated, but not changed. */
            readonly pipeline_id?: unknown;
            readonly stage?: string;
            /** @description May be repeated, but not changed. */
            readonly title?: unknown;
            /** @description May be repeated, but not changed. */
            readonly value?: unknown;
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly LeadsListQuery: {
            /**
             * Format: uuid
             * @description Only those of this contact.
             */
            readonly contact_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those in this pipeline.
             */
            readonly pipeline_id?: string;
            /** @description Only those in the stage of this key; requires `pipeline_id`. */
            readonly stage?: string;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description A delivery in lists: without its attempts.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000013",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "endpoint_id": "0190a1b2-0000-7000-8000-00000000000c",
         *       "event_id": "0190a1b2-0000-7000-8000-00000000000e",
         *       "event_type": "message.delivered",
         *       "status": "delivered",
         *       "attempt_count": 1,
         *       "created_at": "2026-05-04T08:30:01.030Z",
         *       "completed_at": "2026-05-04T08:30:01.030Z",
         *       "next_attempt_at": null,
         *       "waiting_for": null
         *     }
         */
        readonly ListedWebhookDelivery: {
            /**
             * Format: uuid
             * @description Null for a subscription to the events of the whole workspace.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            readonly attempt_count: number;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly completed_at: components["schemas"]["Timestamp"] | null;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000c
             */
            readonly endpoint_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000e
             */
            readonly event_id: string;
            /**
             * @description Null after the event's retention.
             * @example message.delivered
             * @enum {string|null}
             */
            readonly event_type: "message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test" | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000013
             */
            readonly id: string;
            /** @description Time of the next attempt; null if none is planned. */
            readonly next_attempt_at: components["schemas"]["Timestamp"] | null;
            /**
             * @example delivered
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed";
            /**
             * @description Condition for the next attempt; null if only its time is awaited. `job_retried`: its job, which has the delivery's id, is parked after too many failures. `secret_key`: no host that tried it has the key of its endpoint's URL and signing secret; its job names the key, which belongs into `PARLEY_SECRET_KEY_PREVIOUS` (`previousSecretKeys` of createParley). `earlier_delivery`: an earlier event of its conversation is not delivered yet.
             * @enum {string|null}
             */
            readonly waiting_for: "endpoint_enabled" | "application_active" | "scope_granted" | "job_retried" | "secret_key" | "earlier_delivery" | null;
        };
        /**
         * @description A run in lists: without the results of its actions.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000001c",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "workflow_id": "0190a1b2-0000-7000-8000-000000000014",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "status": "waiting",
         *       "reason": null,
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "ended_at": null,
         *       "event": {
         *         "id": "0190a1b2-0000-7000-8000-00000000001d",
         *         "name": "order.shipped"
         *       }
         *     }
         */
        readonly ListedWorkflowRun: {
            /**
             * Format: uuid
             * @description Application whose event started it; the run has that application's permissions.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly ended_at: components["schemas"]["Timestamp"] | null;
            readonly event: {
                /**
                 * Format: uuid
                 * @example 0190a1b2-0000-7000-8000-00000000001d
                 */
                readonly id: string;
                /** @example order.shipped */
                readonly name: string;
            };
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000001c
             */
            readonly id: string;
            /** @description Why it ended before its last action; null if it did not. */
            readonly reason: string | null;
            /**
             * @description `skipped`: the workflow's conditions did not hold.
             * @example waiting
             * @enum {string}
             */
            readonly status: "running" | "waiting" | "completed" | "skipped" | "failed" | "stopped";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000014
             */
            readonly workflow_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A location.
         * @example {
         *       "type": "location",
         *       "latitude": 52.52,
         *       "longitude": 13.405,
         *       "name": "Corner bakery",
         *       "address": null,
         *       "url": null
         *     }
         */
        readonly LocationContent: {
            /**
             * @description Postal address of the location.
             * @example null
             */
            readonly address: string | null;
            /**
             * @description In degrees, positive to the north.
             * @example 52.52
             */
            readonly latitude: number;
            /**
             * @description In degrees, positive to the east.
             * @example 13.405
             */
            readonly longitude: number;
            /**
             * @description Name of the location.
             * @example Corner bakery
             */
            readonly name: string | null;
            /** @enum {string} */
            readonly type: "location";
            /**
             * @description URL of a web page about the location.
             * @example null
             */
            readonly url: string | null;
        };
        /**
         * @description A request of an application with its status. Bodies, queries and credentials are not kept.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000f",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "method": "POST",
         *       "path": "/api/v1/messages",
         *       "status": 202,
         *       "duration_ms": 12,
         *       "error_code": null,
         *       "created_at": "2026-05-04T08:30:00.412Z"
         *     }
         */
        readonly LoggedRequest: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string;
            /**
             * @description When the request arrived.
             * @example 2026-05-04T08:30:00.412Z
             */
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example 12 */
            readonly duration_ms: number;
            /** @description Null if the response is not an error. */
            readonly error_code: string | null;
            /**
             * Format: uuid
             * @description The `X-Request-ID` of the response.
             * @example 0190a1b2-0000-7000-8000-00000000000f
             */
            readonly id: string;
            /** @example POST */
            readonly method: string;
            /**
             * @description Without the query; at most 255 characters.
             * @example /api/v1/messages
             */
            readonly path: string;
            /** @example 202 */
            readonly status: number;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        readonly LogsAuditQuery: {
            /** @description Only those of this kind, such as `api_key.issued`. */
            readonly action?: string;
            /**
             * Format: uuid
             * @description Only those of this application.
             */
            readonly application_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /** @description Only those of this date or time or later. */
            readonly since?: string;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly LogsEventsQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /** @description Only those of this date or time or later. */
            readonly since?: string;
            /**
             * Format: uuid
             * @description Only those about this message, conversation, contact, lead, enqueued request or webhook endpoint.
             */
            readonly subject_id?: string;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly LogsNotificationsQuery: {
            /**
             * Format: uuid
             * @description Only those of this application.
             */
            readonly application_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Only those of this kind, such as `webhook_endpoint.disabled`. */
            readonly kind?: string;
            /** @description Page size. */
            readonly limit?: number;
            /** @description Only those of this date or time or later. */
            readonly since?: string;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly LogsRequestsQuery: {
            /**
             * Format: uuid
             * @description Only those of this application.
             */
            readonly application_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * @description Only those with this HTTP method.
             * @enum {string}
             */
            readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
            /** @description Only those of this date or time or later. */
            readonly since?: string;
            /** @description Only those with this status. */
            readonly status?: string;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly LogsUnknownEventsQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
        };
        /**
         * @description The contact that is merged into this one and deleted.
         * @example {
         *       "contact_id": "0190a1b2-0000-7000-8000-0000000000c2"
         *     }
         */
        readonly MergeInput: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-0000000000c2
             */
            readonly contact_id: string;
        };
        /**
         * @description A message, in or out. Its status never runs backwards.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000005",
         *       "external_reference": "order-1042",
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "direction": "outbound",
         *       "type": "template",
         *       "status": "delivered",
         *       "body": "Hello Ada, your order 1042 is on its way.",
         *       "subject": null,
         *       "attachments": [],
         *       "content": null,
         *       "origin": "application",
         *       "segments": 2,
         *       "error": null,
         *       "sent_at": "2026-05-04T08:30:00.412Z",
         *       "delivered_at": "2026-05-04T08:30:01.030Z",
         *       "read_at": null
         *     }
         */
        readonly Message: {
            /**
             * @description Empty without attachments.
             * @example []
             */
            readonly attachments: readonly components["schemas"]["Attachment"][];
            /** @description True if a program wrote it, such as an out-of-office reply, or if it came through a mailing list. Do not answer it automatically. */
            readonly automatic?: boolean;
            /**
             * @description The readable text of every type: of a template the rendered one, of media the caption.
             * @example Hello Ada, your order 1042 is on its way.
             */
            readonly body: string;
            /** @description Of an email. */
            readonly cc?: readonly string[];
            /**
             * Format: uuid
             * @description The channel connection that was used.
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            /**
             * @description Content beyond text and files, by its `type`; null for text, templates and media.
             * @example null
             */
            readonly content: (components["schemas"]["LocationContent"] | components["schemas"]["ContactsContent"] | components["schemas"]["ChoicesContent"] | components["schemas"]["ChoiceContent"] | components["schemas"]["FormContent"] | components["schemas"]["OrderContent"] | components["schemas"]["TemplateContent"] | components["schemas"]["ReactionContent"] | components["schemas"]["EditContent"] | components["schemas"]["DeletionContent"] | components["schemas"]["SystemContent"] | components["schemas"]["UnsupportedContent"]) | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly delivered_at: components["schemas"]["Timestamp"] | null;
            /**
             * @example outbound
             * @enum {string}
             */
            readonly direction: "inbound" | "outbound";
            /** @description Why it failed. */
            readonly error: {
                /** @description A code of the error catalogue. */
                readonly code: string;
                readonly message: string;
            } | null;
            /**
             * @description What the caller gave when it sent the message.
             * @example order-1042
             */
            readonly external_reference: string | null;
            /** @description True if the message was forwarded. */
            readonly forwarded?: boolean;
            /** @description Of an email: who wrote it, as its header has it. */
            readonly from?: string;
            /** @description Of an email whose `body` leaves out quoted mails or a signature: the whole text. */
            readonly full_text?: string;
            /** @description Equal for the messages of an album. */
            readonly group_id?: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly id: string;
            /**
             * @description Who wrote it; `external`: the business, outside of this service, such as in the channel's own app.
             * @example application
             * @enum {string}
             */
            readonly origin: "application" | "agent" | "workflow" | "bot" | "customer" | "external";
            readonly pricing?: components["schemas"]["Pricing"];
            readonly quoted?: components["schemas"]["Quoted"];
            readonly read_at: components["schemas"]["Timestamp"] | null;
            /** @description Of inbound messages, and of those that the business wrote elsewhere. */
            readonly received_at?: components["schemas"]["Timestamp"];
            readonly referral?: components["schemas"]["Referral"];
            /** @description Email only: the Reply-To addresses. */
            readonly reply_to?: readonly string[];
            /**
             * @description Number of charged segments, if reported.
             * @example 2
             */
            readonly segments?: number;
            /** @example 2026-05-04T08:30:00.412Z */
            readonly sent_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description An inbound message is `delivered`.
             * @example delivered
             * @enum {string}
             */
            readonly status: "queued" | "sent" | "delivered" | "read" | "failed";
            /** @description Of an email. */
            readonly subject: string | null;
            /** @description Of an email. */
            readonly to?: readonly string[];
            /**
             * @example template
             * @enum {string}
             */
            readonly type: "text" | "template" | "media" | "location" | "contacts" | "choices" | "choice" | "form" | "order" | "reaction" | "edit" | "deletion" | "system" | "unsupported";
        };
        /**
         * @description Progress of a message to its provider, with the reason.
         * @example {
         *       "state": "throttled",
         *       "explanation": "The provider throttles its connection until 2026-05-04T08:31:00.000Z. The next attempt is at 2026-05-04T08:31:02.000Z.",
         *       "next_at": "2026-05-04T08:31:02.000Z",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "job_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "lease_owner": null
         *     }
         */
        readonly MessageSending: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /** @description For people; its wording may change. */
            readonly explanation: string;
            /**
             * Format: uuid
             * @description Its job in the queue; null if it is not queued.
             */
            readonly job_id: string | null;
            /** @description The process that is handing it over: host, process id and a unique id. */
            readonly lease_owner: string | null;
            /** @description Start of the next attempt, or the time at which the message fails without one. Null if neither is known. */
            readonly next_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description What it waits for, or its outcome.
             * @enum {string}
             */
            readonly state: "inbound" | "handed_over" | "failed" | "fetching_files" | "sending" | "queued_at_vendor" | "due" | "rate_limited" | "throttled" | "retrying" | "connection_inactive" | "outcome_unknown" | "parked" | "without_job";
        };
        readonly MessagesListQuery: {
            /**
             * Format: uuid
             * @description Only those of this contact.
             */
            readonly contact_id?: string;
            /**
             * Format: uuid
             * @description Only those of this conversation.
             */
            readonly conversation_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Only failed ones. */
            readonly failed?: boolean;
            /** @description Page size. */
            readonly limit?: number;
            /** @description Only those of this date or time or later. */
            readonly since?: string;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description The deliveries of each event of a message to every endpoint of the workspace.
         * @example {
         *       "message_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "events": [
         *         {
         *           "event_id": "0190a1b2-0000-7000-8000-00000000000e",
         *           "event_type": "message.delivered",
         *           "created_at": "2026-05-04T08:30:01.030Z",
         *           "endpoints": [
         *             {
         *               "endpoint_id": "0190a1b2-0000-7000-8000-00000000000c",
         *               "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *               "url": "https://shop.example.org/hooks/parley",
         *               "status": "active",
         *               "delivery": {
         *                 "id": "0190a1b2-0000-7000-8000-000000000013",
         *                 "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *                 "endpoint_id": "0190a1b2-0000-7000-8000-00000000000c",
         *                 "event_id": "0190a1b2-0000-7000-8000-00000000000e",
         *                 "event_type": "message.delivered",
         *                 "status": "delivered",
         *                 "attempt_count": 1,
         *                 "created_at": "2026-05-04T08:30:01.030Z",
         *                 "completed_at": "2026-05-04T08:30:01.030Z",
         *                 "next_attempt_at": null,
         *                 "waiting_for": null,
         *                 "attempts": [
         *                   {
         *                     "id": "0190a1b2-0000-7000-8000-00000000000d",
         *                     "number": 1,
         *                     "started_at": "2026-05-04T08:30:01.030Z",
         *                     "duration_ms": 41,
         *                     "status": 200,
         *                     "error": null,
         *                     "answer": "ok"
         *                   }
         *                 ]
         *               },
         *               "absence": null,
         *               "explanation": "delivered at 2026-05-04T08:30:01.030Z (attempt 1)"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        readonly MessageWebhooks: {
            /** @description Events within retention, oldest first. */
            readonly events: readonly {
                /** @example 2026-05-04T08:30:01.030Z */
                readonly created_at: components["schemas"]["Timestamp"];
                readonly endpoints: readonly {
                    /**
                     * @description Why there is no delivery, as of now; null with a delivery.
                     * @enum {string|null}
                     */
                    readonly absence: "not_subscribed" | "connection_not_allowed" | "other_application" | "scope_missing" | "application_suspended" | "endpoint_disabled" | "registered_later" | "no_longer_known" | "not_received_then" | null;
                    /**
                     * Format: uuid
                     * @description Null for a subscription to the events of the whole workspace.
                     * @example 0190a1b2-0000-7000-8000-000000000011
                     */
                    readonly application_id: string | null;
                    /** @description Null without a delivery. */
                    readonly delivery: components["schemas"]["WebhookDelivery"] | null;
                    /**
                     * Format: uuid
                     * @example 0190a1b2-0000-7000-8000-00000000000c
                     */
                    readonly endpoint_id: string;
                    /**
                     * @description The state of the delivery, for people; its wording may change.
                     * @example delivered at 2026-05-04T08:30:01.030Z (attempt 1)
                     */
                    readonly explanation: string;
                    /** @enum {string} */
                    readonly status: "active" | "disabled" | "deleted";
                    /** @example https://shop.example.org/hooks/parley */
                    readonly url: string;
                }[];
                /**
                 * Format: uuid
                 * @example 0190a1b2-0000-7000-8000-00000000000e
                 */
                readonly event_id: string;
                /**
                 * @example message.delivered
                 * @enum {string}
                 */
                readonly event_type: "message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test";
            }[];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly message_id: string;
        };
        /**
         * @description A notification of administrators.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000017",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "kind": "webhook_endpoint.disabled",
         *       "subject_id": "0190a1b2-0000-7000-8000-00000000000c",
         *       "message": "The webhook endpoint failed 25 times in a row and is disabled.",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Notification: {
            /**
             * Format: uuid
             * @description Null if it concerns all applications.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000017
             */
            readonly id: string;
            /** @example webhook_endpoint.disabled */
            readonly kind: string;
            /** @example The webhook endpoint failed 25 times in a row and is disabled. */
            readonly message: string;
            /**
             * Format: uuid
             * @description Id of the resource that it is about.
             * @example 0190a1b2-0000-7000-8000-00000000000c
             */
            readonly subject_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description An OAuth client; its secret is shown once, when it is issued.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000015",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "client_id": "parley_client_0123456789abcdefghijklmn",
         *       "last_four": "stuv",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "revoked_at": null
         *     }
         */
        readonly OAuthClient: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string;
            /** @example parley_client_0123456789abcdefghijklmn */
            readonly client_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000015
             */
            readonly id: string;
            /**
             * @description The last four characters, to recognise the key.
             * @example stuv
             */
            readonly last_four: string;
            /** @description When it stopped working. */
            readonly revoked_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Products that the customer ordered or asks about.
         * @example {
         *       "type": "order",
         *       "catalog": null,
         *       "items": [
         *         {
         *           "product": "rye-1000",
         *           "name": "Rye bread",
         *           "quantity": 2,
         *           "price": 4.5,
         *           "currency": "EUR"
         *         }
         *       ]
         *     }
         */
        readonly OrderContent: {
            /**
             * @description Id of the catalogue at the vendor.
             * @example null
             */
            readonly catalog: string | null;
            readonly items: readonly {
                /**
                 * @description Code of the currency.
                 * @example EUR
                 */
                readonly currency: string | null;
                /**
                 * @description Name of the product.
                 * @example Rye bread
                 */
                readonly name: string | null;
                /**
                 * @description Price of one piece, in units of the currency.
                 * @example 4.5
                 */
                readonly price: number | null;
                /**
                 * @description Id of the product: the retailer's own, as in the catalogue.
                 * @example rye-1000
                 */
                readonly product: string;
                /**
                 * @description Quantity.
                 * @example 2
                 */
                readonly quantity: number;
            }[];
            /** @enum {string} */
            readonly type: "order";
        };
        /**
         * @description Waiting work of all other applications.
         * @example {
         *       "applications": 40,
         *       "queued": 12,
         *       "sending": 2,
         *       "oldest_queued_at": null,
         *       "failed": 1,
         *       "deliveries": 3,
         *       "disabled_endpoints": 0,
         *       "parked": 0
         *     }
         */
        readonly OtherApplicationsWork: {
            /**
             * @description Their number.
             * @example 40
             */
            readonly applications: number;
            /**
             * @description Webhook deliveries that wait or run. Those of disabled endpoints are not counted.
             * @example 3
             */
            readonly deliveries: number;
            /**
             * @description Disabled by failures or by an administrator.
             * @example 0
             */
            readonly disabled_endpoints: number;
            /**
             * @description Failed messages among the newest 2,000 messages of all applications.
             * @example 1
             */
            readonly failed: number;
            /** @description When the oldest of these messages was accepted; null without one. */
            readonly oldest_queued_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description Jobs that failed too often.
             * @example 0
             */
            readonly parked: number;
            /**
             * @description Messages that wait in the queue, also while their files are fetched.
             * @example 12
             */
            readonly queued: number;
            /**
             * @description Messages that a host is handing to the provider.
             * @example 2
             */
            readonly sending: number;
        };
        /**
         * @description Progress of the current action.
         * @example {
         *       "position": 0,
         *       "type": "send_message",
         *       "name": "on WhatsApp",
         *       "started_at": "2026-05-04T08:30:00.000Z",
         *       "attempts": 1,
         *       "message_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "until": "2026-05-04T08:40:00.000Z",
         *       "error": null,
         *       "explanation": "waits until 2026-05-04T08:40:00.000Z for the message 0190a1b2-0000-7000-8000-000000000005 to be delivered"
         *     }
         */
        readonly PendingWorkflowAction: {
            readonly attempts: number;
            /**
             * @description The last answer or error of a webhook call that is tried again; else null.
             * @example null
             */
            readonly error: string | null;
            /**
             * @description What it waits for, for people; its wording may change.
             * @example waits until 2026-05-04T08:40:00.000Z for the message 0190a1b2-0000-7000-8000-000000000005 to be delivered
             */
            readonly explanation: string;
            /**
             * Format: uuid
             * @description The message whose progress it waits for.
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly message_id: string | null;
            /**
             * @description Name by which later conditions refer to this action.
             * @example on WhatsApp
             */
            readonly name: string | null;
            /**
             * @description Position of the action in the definition, from 0.
             * @example 0
             */
            readonly position: number;
            readonly started_at: components["schemas"]["Timestamp"];
            /** @example send_message */
            readonly type: string;
            /**
             * @description End of the wait; null if unknown.
             * @example 2026-05-04T08:40:00.000Z
             */
            readonly until: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description The stages through which leads move.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000007",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Sales",
         *       "stages": [
         *         {
         *           "key": "new",
         *           "name": "New"
         *         },
         *         {
         *           "key": "won",
         *           "name": "Won"
         *         }
         *       ],
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Pipeline: {
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000007
             */
            readonly id: string;
            /** @example Sales */
            readonly name: string;
            /**
             * @description In order.
             * @example [
             *       {
             *         "key": "new",
             *         "name": "New"
             *       },
             *       {
             *         "key": "won",
             *         "name": "Won"
             *       }
             *     ]
             */
            readonly stages: readonly {
                readonly key: string;
                readonly name: string;
            }[];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A pipeline to create.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Sales",
         *       "stages": [
         *         {
         *           "key": "new",
         *           "name": "New"
         *         },
         *         {
         *           "key": "won",
         *           "name": "Won"
         *         }
         *       ]
         *     }
         */
        readonly PipelineInput: {
            /** @example Sales */
            readonly name: string;
            /**
             * @description In order; new leads start in the first.
             * @example [
             *       {
             *         "key": "new",
             *         "name": "New"
             *       },
             *       {
             *         "key": "won",
             *         "name": "Won"
             *       }
             *     ]
             */
            readonly stages: readonly {
                readonly key: string;
                readonly name: string;
            }[];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description What to change; the stages are replaced as a whole.
         * @example {
         *       "name": "Sales 2026"
         *     }
         */
        readonly PipelinePatch: {
            readonly name?: string;
            readonly stages?: readonly {
                readonly key: string;
                readonly name: string;
            }[];
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly PipelinesListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description Price as reported by the vendor; null if not reported.
         * @example {
         *       "billable": null,
         *       "category": "marketing",
         *       "model": "PMP",
         *       "price": "0.0079",
         *       "currency": "USD"
         *     }
         */
        readonly Pricing: {
            /** @description Whether the vendor charges for the message. */
            readonly billable: boolean | null;
            /**
             * @description The vendor's name of the rate.
             * @example marketing
             */
            readonly category: string | null;
            /**
             * @description Code of the currency.
             * @example USD
             */
            readonly currency: string | null;
            /**
             * @description The vendor's name of its price list.
             * @example PMP
             */
            readonly model: string | null;
            /**
             * @description In units of `currency`, as the vendor writes it.
             * @example 0.0079
             */
            readonly price: string | null;
        };
        /**
         * @description A channel provider of the responding host.
         * @example {
         *       "kind": "telegram",
         *       "channels": [
         *         "telegram"
         *       ],
         *       "config": {
         *         "type": "object",
         *         "properties": {},
         *         "required": []
         *       },
         *       "credentials": {
         *         "type": "object",
         *         "properties": {
         *           "bot_token": {
         *             "type": "string"
         *           }
         *         },
         *         "required": [
         *           "bot_token"
         *         ]
         *       },
         *       "takes_webhooks": true,
         *       "polls": false,
         *       "can_check": true,
         *       "can_set_up": true,
         *       "syncs_templates": false,
         *       "imports_history": false
         *     }
         */
        readonly Provider: {
            /**
             * @description Whether connections can be tested.
             * @example true
             */
            readonly can_check: boolean;
            /**
             * @description Whether Parley can register its webhook URL with the vendor.
             * @example true
             */
            readonly can_set_up: boolean;
            /**
             * @example [
             *       "telegram"
             *     ]
             */
            readonly channels: readonly ChannelName[];
            /**
             * @description What `config` of a connection must be, as JSON Schema.
             * @example {
             *       "type": "object",
             *       "properties": {},
             *       "required": []
             *     }
             */
            readonly config: Record<string, unknown>;
            /**
             * @description What `credentials` of a connection must be, as JSON Schema.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "bot_token": {
             *           "type": "string"
             *         }
             *       },
             *       "required": [
             *         "bot_token"
             *       ]
             *     }
             */
            readonly credentials: Record<string, unknown>;
            /** @description Whether the vendor offers what was written on an account before it was connected. */
            readonly imports_history: boolean;
            /** @example telegram */
            readonly kind: string;
            /** @description Whether Parley polls the vendor for events. */
            readonly polls: boolean;
            /** @description Whether templates are synced from the vendor. */
            readonly syncs_templates: boolean;
            /**
             * @description Whether the vendor, or customers themselves, call `webhook_url`.
             * @example true
             */
            readonly takes_webhooks: boolean;
        };
        /**
         * @description The message that this one answers, reacts to, edits or deletes, or whose option it chooses.
         * @example {
         *       "message_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "provider_message_id": null,
         *       "body": null
         *     }
         */
        readonly Quoted: {
            /** @description Its text, if the channel repeats it and the message is unknown here; otherwise read the message. */
            readonly body: string | null;
            /**
             * Format: uuid
             * @description Null if the message is unknown here or is another application's.
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly message_id: string | null;
            /** @description The channel's id of the message. */
            readonly provider_message_id: string | null;
        };
        /**
         * @description The vendor's JSON of a message.
         * @example {
         *       "raw": "{\"from\":\"16505551234\",\"id\":\"wamid.1042\",\"type\":\"text\",\"text\":{\"body\":\"Hi\"}}"
         *     }
         */
        readonly RawMessage: {
            /**
             * @description JSON of the vendor, truncated at 64 KiB. Null if the vendor sent none, or it has expired.
             * @example {"from":"16505551234","id":"wamid.1042","type":"text","text":{"body":"Hi"}}
             */
            readonly raw: string | null;
        };
        /**
         * @description A reaction to the message in `quoted`.
         * @example {
         *       "type": "reaction",
         *       "emoji": "👍"
         *     }
         */
        readonly ReactionContent: {
            /**
             * @description The reaction; null: it was removed.
             * @example 👍
             */
            readonly emoji: string | null;
            /** @enum {string} */
            readonly type: "reaction";
        };
        /**
         * @description Result of a recovery.
         * @example {
         *       "deliveries": 12,
         *       "reached": "2026-05-04T08:30:00.000Z",
         *       "cursor": null
         *     }
         */
        readonly Recovered: {
            /** @description Cursor for the next call; null if all events were examined. */
            readonly cursor: string | null;
            /**
             * @description Number of deliveries created or restarted.
             * @example 12
             */
            readonly deliveries: number;
            /** @description Start of the examined period: `since`, or the start of retention if later. */
            readonly reached: components["schemas"]["Timestamp"];
        };
        /**
         * @description Period whose undelivered events are delivered.
         * @example {
         *       "since": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly RecoverInput: {
            /** @description Cursor of the previous call with the same `since`. */
            readonly cursor?: string | null;
            /** @description Maximum number of events to examine in this call. Default: all that are kept. */
            readonly limit?: number | null;
            /**
             * @description Start of the period: a date or time.
             * @example 2026-05-04T08:30:00.000Z
             */
            readonly since: string;
        };
        /**
         * @description The advertisement, post or link that brought the customer to the conversation.
         * @example {
         *       "source": "ad",
         *       "source_id": null,
         *       "click_id": null,
         *       "headline": null,
         *       "body": null,
         *       "url": null,
         *       "ref": null
         *     }
         */
        readonly Referral: {
            readonly body: string | null;
            /** @description For conversion reports; WhatsApp calls it `ctwa_clid`. */
            readonly click_id: string | null;
            readonly headline: string | null;
            /** @description What the business put into the link. */
            readonly ref: string | null;
            /**
             * @description The channel's name for the kind of source.
             * @example ad
             */
            readonly source: string;
            /** @description Id of the advertisement or post. */
            readonly source_id: string | null;
            readonly url: string | null;
        };
        /**
         * @description A reply of an agent: of the `type`, else a template if one is given, else a text.
         * @example {
         *       "body": "It leaves today.",
         *       "agent_id": "0190a1b2-0000-7000-8000-000000000008"
         *     }
         * @example {
         *       "template": "order_shipped",
         *       "language": "en",
         *       "variables": [
         *         "Ada",
         *         "1042"
         *       ]
         *     }
         */
        readonly ReplyInput: {
            /**
             * Format: uuid
             * @description The author: an active agent of the workspace.
             */
            readonly agent_id?: string | null;
            /** @description The files; required for the type `media`, whose `body` is the caption, and for a template whose header is a file. */
            readonly attachments?: readonly {
                /**
                 * Format: uuid
                 * @description An upload of the conversation's workspace (`POST /attachments` of the administration). Its bytes decide its type.
                 */
                readonly attachment_id?: string | null;
                readonly content_type?: string;
                readonly file_name?: string | null;
                /** @description An https URL that is valid for a day, without redirects to http. Required without `attachment_id`. */
                readonly url?: string | null;
            }[] | null;
            /** @description The text. */
            readonly body?: string | null;
            /** @description The values of the template's buttons whose URL has a slot or that copy a code, in order; required if it has such buttons. */
            readonly button_variables?: readonly string[] | null;
            /** @description The values of the template's cards, in order: the product of a card that shows one (`id` in the `catalog`), those of the slots in the text of a card, and one for each of its buttons that is a reply (the id of the choice) or whose URL has a slot. */
            readonly cards?: readonly {
                readonly button_variables?: readonly string[] | null;
                readonly product?: {
                    readonly catalog: string;
                    readonly id: string;
                } | null;
                readonly variables?: readonly string[] | null;
            }[] | null;
            /** @description Required for the types `location`, `contacts`, `choices` and `reaction`. */
            readonly content?: (({
                readonly address?: string | null;
                readonly latitude: number;
                readonly longitude: number;
                readonly name?: string | null;
                readonly url?: string | null;
            } | {
                readonly contacts: readonly {
                    readonly emails?: readonly string[] | null;
                    readonly name: string;
                    readonly organization?: string | null;
                    readonly phones?: readonly string[] | null;
                }[];
            } | {
                readonly button?: string | null;
                readonly options: readonly {
                    readonly description?: string | null;
                    readonly id: string;
                    readonly title: string;
                }[];
            } | {
                readonly emoji?: string | null;
            }) | null) | {
                readonly address?: string | null;
                readonly latitude: number;
                readonly longitude: number;
                readonly name?: string | null;
                readonly url?: string | null;
            } | {
                readonly contacts: readonly {
                    readonly emails?: readonly string[] | null;
                    readonly name: string;
                    readonly organization?: string | null;
                    readonly phones?: readonly string[] | null;
                }[];
            } | {
                readonly button?: string | null;
                readonly options: readonly {
                    readonly description?: string | null;
                    readonly id: string;
                    readonly title: string;
                }[];
            } | {
                readonly emoji?: string | null;
            };
            /** @description The value of the slot in the header of the template; required if it has one. */
            readonly header_variable?: string | null;
            /** @description The template's language. Default: its only language, else the workspace's default. */
            readonly language?: string | null;
            /** @description For a template whose button shows products: their ids in sections, and the one whose image heads the message (default: the first). For a button that opens the catalogue: that one only. */
            readonly products?: {
                readonly sections?: readonly {
                    readonly items: readonly string[];
                    readonly title?: string | null;
                }[] | null;
                readonly thumbnail?: string | null;
            } | null;
            /**
             * Format: uuid
             * @description Id of a message of the conversation that this one answers or reacts to; required for `reaction`.
             */
            readonly quoted?: string | null;
            /** @description Of an email. */
            readonly subject?: string | null;
            /** @description The template's name. */
            readonly template?: string | null;
            /**
             * @description Default: `template` if one is given, else `text`.
             * @enum {string|null}
             */
            readonly type?: "text" | "template" | "media" | "location" | "contacts" | "choices" | "reaction" | null;
            /** @description Values of the template's slots, in order. */
            readonly variables?: readonly string[] | null;
        };
        /**
         * @description How long history is kept, in days. Pending deliveries and their events are kept longer.
         * @example {
         *       "events_days": 90,
         *       "deliveries_days": 90,
         *       "attempts_days": 30,
         *       "request_log_days": 30,
         *       "runs_days": 90
         *     }
         */
        readonly Retention: {
            /** @example 30 */
            readonly attempts_days: number;
            /** @example 90 */
            readonly deliveries_days: number;
            /** @example 90 */
            readonly events_days: number;
            /** @example 30 */
            readonly request_log_days: number;
            /** @example 90 */
            readonly runs_days: number;
        };
        /**
         * @description Position of the next step.
         * @example {}
         */
        readonly RotationInput: {
            /** @description Cursor of the previous step. Default: the beginning. */
            readonly cursor?: string | null;
        };
        /**
         * @description Number of values encrypted under one key.
         * @example {
         *       "key": "3fa9c1d2",
         *       "use": "present",
         *       "signing_secrets": 40,
         *       "credentials": 3,
         *       "urls": 40
         *     }
         */
        readonly SecretKeyUse: {
            /**
             * @description Number of connections.
             * @example 3
             */
            readonly credentials: number;
            /**
             * @description The key's id, which reveals nothing about the key; null for values that are not encrypted.
             * @example 3fa9c1d2
             */
            readonly key: string | null;
            /**
             * @description Number of webhook endpoints.
             * @example 40
             */
            readonly signing_secrets: number;
            /**
             * @description URLs of webhook endpoints and of workflows' calls. Without a key: from an old version, not encrypted yet.
             * @example 40
             */
            readonly urls: number;
            /**
             * @description `present` encrypts, `previous` only decrypts, and `missing` is unknown to the responding host.
             * @enum {string}
             */
            readonly use: "present" | "previous" | "missing";
        };
        /**
         * @description The keys that encrypt signing secrets, provider credentials and URLs of webhooks.
         * @example {
         *       "keys": [
         *         {
         *           "key": "3fa9c1d2",
         *           "use": "present",
         *           "signing_secrets": 40,
         *           "credentials": 3,
         *           "urls": 40
         *         },
         *         {
         *           "key": "9b04e7aa",
         *           "use": "previous",
         *           "signing_secrets": 0,
         *           "credentials": 0,
         *           "urls": 0
         *         }
         *       ]
         *     }
         */
        readonly Secrets: {
            /**
             * @description Those of the responding host, also if they encrypt nothing, then others.
             * @example [
             *       {
             *         "key": "3fa9c1d2",
             *         "use": "present",
             *         "signing_secrets": 40,
             *         "credentials": 3,
             *         "urls": 40
             *       },
             *       {
             *         "key": "9b04e7aa",
             *         "use": "previous",
             *         "signing_secrets": 0,
             *         "credentials": 0,
             *         "urls": 0
             *       }
             *     ]
             */
            readonly keys: readonly components["schemas"]["SecretKeyUse"][];
        };
        /**
         * @description Result of one step of a rotation.
         * @example {
         *       "key": "3fa9c1d2",
         *       "examined": 43,
         *       "resealed": 43,
         *       "unreadable": 0,
         *       "cursor": null
         *     }
         */
        readonly SecretsRotation: {
            /** @description Cursor of the next step; null after the last one. */
            readonly cursor: string | null;
            /** @example 43 */
            readonly examined: number;
            /**
             * @description Id of the key that encrypts now.
             * @example 3fa9c1d2
             */
            readonly key: string;
            /** @example 43 */
            readonly resealed: number;
            /**
             * @description Number of values under a key that the host does not have, or altered values; they stay unchanged.
             * @example 0
             */
            readonly unreadable: number;
        };
        /**
         * @description The outcome of a signal to the customer.
         * @example {
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "taken": true
         *     }
         */
        readonly Signal: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string;
            /**
             * @description Whether the channel accepted it. False: its vendor refused or did not answer; the service does not retry.
             * @example true
             */
            readonly taken: boolean;
        };
        /**
         * @description A message as if a customer had written it.
         * @example {
         *       "from": "+4915112345678",
         *       "body": "Where is my order?",
         *       "content": null,
         *       "quoted": null,
         *       "name": "Ada"
         *     }
         */
        readonly SimulatedInbound: {
            /**
             * @description Required without `content`, else its readable text.
             * @example Where is my order?
             */
            readonly body?: string | null;
            /**
             * @description The content, if the message is more than a text.
             * @example null
             */
            readonly content?: (components["schemas"]["LocationContent"] | components["schemas"]["ContactsContent"] | components["schemas"]["ChoicesContent"] | components["schemas"]["ChoiceContent"] | components["schemas"]["FormContent"] | components["schemas"]["OrderContent"] | components["schemas"]["TemplateContent"] | components["schemas"]["ReactionContent"] | components["schemas"]["EditContent"] | components["schemas"]["DeletionContent"] | components["schemas"]["SystemContent"] | components["schemas"]["UnsupportedContent"]) | null;
            /**
             * @description The customer's handle.
             * @example +4915112345678
             */
            readonly from: string;
            /**
             * @description The customer's name on the channel.
             * @example Ada
             */
            readonly name?: string | null;
            /**
             * Format: uuid
             * @description Id of the message that it answers, reacts to, edits or deletes, or whose option it chooses.
             * @example null
             */
            readonly quoted?: string | null;
        };
        /**
         * @description Status of the service, and what needs attention.
         * @example {
         *       "time": "2026-05-04T08:30:01.030Z",
         *       "clock_skew_ms": 0,
         *       "lanes": [
         *         {
         *           "lane": "deliveries",
         *           "due": 0,
         *           "leased": 2,
         *           "waiting": 14,
         *           "oldest_due_at": null
         *         }
         *       ],
         *       "recent_deliveries": {
         *         "delivered": 997,
         *         "pending": 1,
         *         "failed": 2
         *       },
         *       "disabled_endpoints": [],
         *       "waiting_subscriptions": [],
         *       "inactive_workspaces": [],
         *       "suspended_applications": [],
         *       "inactive_connections": [],
         *       "missing_secret_keys": [],
         *       "notifications": []
         *     }
         */
        readonly Status: {
            /**
             * @description Minimum difference between the database's clock and this host's, in ms.
             * @example 0
             */
            readonly clock_skew_ms: number;
            /**
             * @description The newest 100, disabled by failures or by an administrator.
             * @example []
             */
            readonly disabled_endpoints: readonly components["schemas"]["WebhookEndpoint"][];
            /**
             * @description The newest 100, paused or disconnected.
             * @example []
             */
            readonly inactive_connections: readonly components["schemas"]["Connection"][];
            /**
             * @description The newest 100, suspended or unavailable.
             * @example []
             */
            readonly inactive_workspaces: readonly components["schemas"]["Workspace"][];
            /** @description The queue of all hosts. */
            readonly lanes: readonly components["schemas"]["LaneStatus"][];
            /**
             * @description Keys that the responding host lacks, of the newest 1,000 webhook endpoints, connections and workflows each; `GET /secrets` counts all. What needs these values waits: add the keys to `PARLEY_SECRET_KEY_PREVIOUS` (`previousSecretKeys` of createParley).
             * @example []
             */
            readonly missing_secret_keys: readonly {
                /**
                 * @description The key's id.
                 * @example 9b04e7aa
                 */
                readonly key: string;
                /**
                 * @description Number of values under it.
                 * @example 3
                 */
                readonly values: number;
            }[];
            /**
             * @description The newest five.
             * @example []
             */
            readonly notifications: readonly components["schemas"]["Notification"][];
            /**
             * @description The newest 1,000 by status.
             * @example {
             *       "delivered": 997,
             *       "pending": 1,
             *       "failed": 2
             *     }
             */
            readonly recent_deliveries: {
                readonly delivered: number;
                readonly failed: number;
                readonly pending: number;
            };
            /**
             * @description The newest 100.
             * @example []
             */
            readonly suspended_applications: readonly components["schemas"]["Application"][];
            /** @example 2026-05-04T08:30:01.030Z */
            readonly time: components["schemas"]["Timestamp"];
            /**
             * @description Subscriptions that no process handles, or whose processes are too busy: those with a job that is due for more than a minute, of the 1,000 that are due first. Each has such a job every minute, also without events.
             * @example []
             */
            readonly waiting_subscriptions: readonly components["schemas"]["WebhookEndpoint"][];
        };
        readonly StatusByApplicationQuery: {
            /** @description Maximum number of applications, those with the most waiting work first. */
            readonly top?: number;
        };
        /**
         * @description Result of a template sync.
         * @example {
         *       "created": 3,
         *       "updated": 1
         *     }
         */
        readonly SyncedTemplates: {
            /**
             * @description Number of new templates.
             * @example 3
             */
            readonly created: number;
            /** @description Number of changed templates. */
            readonly updated: number;
        };
        /**
         * @description A notice of the channel about the conversation.
         * @example {
         *       "type": "system",
         *       "event": "request_welcome"
         *     }
         */
        readonly SystemContent: {
            /**
             * @description The vendor's name of the notice.
             * @example request_welcome
             */
            readonly event: string;
            /** @enum {string} */
            readonly type: "system";
        };
        /**
         * @description A task of people of the workspace.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000018",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "title": "Call Ada back",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "assigned_user_id": "0190a1b2-0000-7000-8000-000000000008",
         *       "assigned_team_id": null,
         *       "status": "open",
         *       "due_at": "2026-05-05T08:30:00.000Z",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Task: {
            /** Format: uuid */
            readonly assigned_team_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000008
             */
            readonly assigned_user_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example 2026-05-05T08:30:00.000Z */
            readonly due_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000018
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "open" | "done";
            /** @example Call Ada back */
            readonly title: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A task to create; its status is `open`.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "title": "Call Ada back",
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "due_at": "2026-05-05T08:30:00.000Z"
         *     }
         */
        readonly TaskInput: {
            /**
             * Format: uuid
             * @description A team of the workspace.
             */
            readonly assigned_team_id?: string | null;
            /**
             * Format: uuid
             * @description An active agent of the workspace.
             */
            readonly assigned_user_id?: string | null;
            /**
             * Format: uuid
             * @description The task's contact; by default that of the conversation.
             */
            readonly contact_id?: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id?: string | null;
            /**
             * Format: date-time
             * @example 2026-05-05T08:30:00.000Z
             */
            readonly due_at?: string | null;
            /** @example Call Ada back */
            readonly title: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description What to change; null clears the contact, the assignees and the due time.
         * @example {
         *       "status": "done"
         *     }
         */
        readonly TaskPatch: {
            /** Format: uuid */
            readonly assigned_team_id?: string | null;
            /** Format: uuid */
            readonly assigned_user_id?: string | null;
            /** Format: uuid */
            readonly contact_id?: string | null;
            /** Format: uuid */
            readonly conversation_id?: string | null;
            /** Format: date-time */
            readonly due_at?: string | null;
            /** @description Values that you have read. If one of them has changed since, the response is 409 `invalid_transition`, `details` names it, and nothing changes. */
            readonly expect?: {
                /** Format: uuid */
                readonly assigned_team_id?: string | null;
                /** Format: uuid */
                readonly assigned_user_id?: string | null;
                /** Format: date-time */
                readonly due_at?: string | null;
                /** @enum {string} */
                readonly status?: "open" | "done";
                readonly title?: string;
            };
            /** @enum {string} */
            readonly status?: "open" | "done";
            readonly title?: string;
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly TasksListQuery: {
            /**
             * Format: uuid
             * @description Only those assigned to this team.
             */
            readonly assigned_team_id?: string;
            /**
             * Format: uuid
             * @description Only those assigned to this agent.
             */
            readonly assigned_user_id?: string;
            /**
             * Format: uuid
             * @description Only those of this contact.
             */
            readonly contact_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * @description Only those with this status.
             * @enum {string}
             */
            readonly status?: "open" | "done";
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description Agents who work together.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000009",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Support",
         *       "agent_ids": [
         *         "0190a1b2-0000-7000-8000-000000000008"
         *       ],
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Team: {
            readonly agent_ids: readonly string[];
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000009
             */
            readonly id: string;
            /** @example Support */
            readonly name: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A team to create.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Support",
         *       "agent_ids": [
         *         "0190a1b2-0000-7000-8000-000000000008"
         *       ]
         *     }
         */
        readonly TeamInput: {
            /**
             * @example [
             *       "0190a1b2-0000-7000-8000-000000000008"
             *     ]
             */
            readonly agent_ids?: readonly string[] | null;
            /** @example Support */
            readonly name: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description What to change; the agents are replaced as a whole.
         * @example {
         *       "agent_ids": []
         *     }
         */
        readonly TeamPatch: {
            readonly agent_ids?: readonly string[];
            /** @description Values that you have read. If one of them has changed since, the response is 409 `invalid_transition`, `details` names it, and nothing changes. */
            readonly expect?: {
                readonly agent_ids?: readonly string[];
                readonly name?: string;
            };
            readonly name?: string;
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly TeamsListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * @description The values of a template's header, buttons and cards; `variables` are those of its body.
         * @example {
         *       "type": "template",
         *       "header": "1042",
         *       "slot": "order",
         *       "buttons": [
         *         {
         *           "index": 0,
         *           "type": "url",
         *           "value": "1042"
         *         }
         *       ],
         *       "names": null
         *     }
         */
        readonly TemplateContent: {
            readonly buttons: readonly {
                /**
                 * @description Place of the button in the template, from 0.
                 * @example 0
                 */
                readonly index: number;
                /** @enum {string} */
                readonly type: "url" | "code";
                /**
                 * @description Value of the slot in its URL, or the code that it copies.
                 * @example 1042
                 */
                readonly value: string;
            }[];
            /** @description Values of the cards, in their order. Their files are `attachments`. */
            readonly cards?: readonly {
                readonly buttons: readonly {
                    /**
                     * @description Place of the button in the card, from 0.
                     * @example 0
                     */
                    readonly index: number;
                    /** @enum {string} */
                    readonly type: "url" | "reply";
                    /**
                     * @description Value of the slot in its URL, or the id of the choice when it is pressed.
                     * @example rye
                     */
                    readonly value: string;
                }[];
                /** @description Names of these slots, in the order of `variables`; null if they are numbers. */
                readonly names: readonly string[] | null;
                /** @description The product that it shows; absent if it shows a file. */
                readonly product?: {
                    /**
                     * @description Id of the catalogue.
                     * @example 194836987003835
                     */
                    readonly catalog: string;
                    /**
                     * @description Id of the product in the catalogue.
                     * @example rye
                     */
                    readonly id: string;
                };
                /** @description Values of the slots in its text. */
                readonly variables: readonly string[];
            }[];
            /**
             * @description Value of the slot in the text of the header; null without a slot.
             * @example 1042
             */
            readonly header: string | null;
            /** @description Names of the slots of the body, in the order of `variables`; null if they are numbers. */
            readonly names: readonly string[] | null;
            /** @description The products of a button that shows products or the catalogue. */
            readonly products?: {
                /**
                 * @description Place of the button in the template, from 0.
                 * @example 0
                 */
                readonly index: number;
                /** @description The products that the button shows; empty for the whole catalogue. */
                readonly sections: readonly {
                    /**
                     * @description Ids of the products.
                     * @example [
                     *       "rye"
                     *     ]
                     */
                    readonly items: readonly string[];
                    /**
                     * @description Title; null for a single section.
                     * @example Bread
                     */
                    readonly title: string | null;
                }[];
                /**
                 * @description Id of the product whose image heads the message.
                 * @example rye
                 */
                readonly thumbnail: string;
            };
            /**
             * @description Name of that slot; absent if it is a number.
             * @example order
             */
            readonly slot?: string;
            /** @enum {string} */
            readonly type: "template";
        };
        /**
         * @description A template to create. Its slots are `{{1}}`, `{{2}}`, and so on.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "order_shipped",
         *       "channel": "whatsapp",
         *       "language": "en",
         *       "category": "utility",
         *       "body": "Hello {{1}}, your order {{2}} is on its way.",
         *       "status": "approved"
         *     }
         */
        readonly TemplateInput: {
            /** @example Hello {{1}}, your order {{2}} is on its way. */
            readonly body: string;
            /** @example utility */
            readonly category?: string | null;
            /**
             * Format: channel
             * @description A channel that a provider of the host serves.
             * @example whatsapp
             */
            readonly channel: ChannelName;
            /**
             * @description On channels with subjects: the body as HTML, which may have the same slots. Their values are escaped.
             * @example <p>Hello {{1}}, your order <b>{{2}}</b> is on its way.</p>
             */
            readonly html?: string | null;
            /** @example en */
            readonly language: string;
            /** @example order_shipped */
            readonly name: string;
            /**
             * @description Default: `draft`.
             * @example approved
             * @enum {string|null}
             */
            readonly status?: "draft" | "pending" | "approved" | "rejected" | "paused" | null;
            /**
             * @description On channels with subjects: the subject of its messages, which may have slots.
             * @example Order {{2}}
             */
            readonly subject?: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description Header, footer, buttons and cards, as the vendor has them.
         * @example {
         *       "header": null,
         *       "footer": null,
         *       "buttons": [
         *         {
         *           "type": "reply",
         *           "text": "Track",
         *           "url": "https://shop.example/track/{{1}}"
         *         }
         *       ],
         *       "named": false
         *     }
         */
        readonly TemplateParts: {
            readonly buttons: readonly {
                /** @example Track */
                readonly text: string;
                /**
                 * @description `code` copies a code that each send gives, `otp` the first value of the body; `catalog` opens the catalogue of the business, `products` shows those that each send gives, `product` that of its card.
                 * @enum {string}
                 */
                readonly type: "reply" | "url" | "phone" | "code" | "otp" | "catalog" | "product" | "products";
                /** @example https://shop.example/track/{{1}} */
                readonly url: string | null;
            }[];
            /** @description The cards of a carousel under the body; absent without one. With products, a send may have another number of cards. */
            readonly cards?: readonly {
                /**
                 * @description The text, with slots of its own; null without one.
                 * @example Rye bread, {{1}}
                 */
                readonly body: string | null;
                readonly buttons: readonly {
                    /** @example Track */
                    readonly text: string;
                    /**
                     * @description `code` copies a code that each send gives, `otp` the first value of the body; `catalog` opens the catalogue of the business, `products` shows those that each send gives, `product` that of its card.
                     * @enum {string}
                     */
                    readonly type: "reply" | "url" | "phone" | "code" | "otp" | "catalog" | "product" | "products";
                    /** @example https://shop.example/track/{{1}} */
                    readonly url: string | null;
                }[];
                /**
                 * @description The kind of its file, or a product of a catalogue: a value of each send.
                 * @enum {string}
                 */
                readonly header: "image" | "video" | "product";
            }[];
            readonly footer: string | null;
            readonly header: {
                /**
                 * @description The text, with at most one slot; null for files.
                 * @example Order {{1}}
                 */
                readonly text: string | null;
                /**
                 * @description Other than `text`: the file is a value of each send.
                 * @enum {string}
                 */
                readonly type: "text" | "image" | "video" | "document";
            } | null;
            /** @description Whether the slots of the body have names instead of numbers. */
            readonly named: boolean;
        };
        /**
         * @description What to change.
         * @example {
         *       "status": "paused"
         *     }
         */
        readonly TemplatePatch: {
            readonly body?: string;
            readonly category?: string | null;
            /** @description May be repeated, but not changed. */
            readonly channel?: unknown;
            readonly html?: string | null;
            /** @description May be repeated, but not changed. */
            readonly language?: unknown;
            /** @description May be repeated, but not changed. */
            readonly name?: unknown;
            /** @enum {string} */
            readonly status?: "draft" | "pending" | "approved" | "rejected" | "paused";
            readonly subject?: string | null;
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        readonly TemplatesListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        /**
         * Format: date-time
         * @description A time in UTC, to the millisecond.
         * @example 2026-05-04T08:30:00.000Z
         */
        readonly Timestamp: string;
        /**
         * @description A vendor event of an unknown kind, kept as long as the request log.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000019",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "kind": "reaction",
         *       "raw": "{\"type\":\"reaction\",\"reaction\":{\"emoji\":\"👍\"}}",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly UnknownEvent: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000019
             */
            readonly id: string;
            /**
             * @description The vendor's name of the event, if known.
             * @example reaction
             */
            readonly kind: string;
            /**
             * @description The event as received, truncated at 64 KiB; if it was read but could not be applied, JSON with a `problem` too.
             * @example {"type":"reaction","reaction":{"emoji":"👍"}}
             */
            readonly raw: string;
        };
        /**
         * @description Content that the channel does not forward, or that Parley does not know.
         * @example {
         *       "type": "unsupported",
         *       "kind": "poll"
         *     }
         */
        readonly UnsupportedContent: {
            /**
             * @description The vendor's name of the content.
             * @example poll
             */
            readonly kind: string;
            /** @enum {string} */
            readonly type: "unsupported";
        };
        /**
         * @description A stored file that messages can be sent with.
         * @example {
         *       "id": "0190a1b2-0000-8000-8000-00000000001a",
         *       "type": "image",
         *       "content_type": "image/jpeg",
         *       "file_name": "parcel.jpg",
         *       "size": 48213,
         *       "expires_at": "2026-05-04T08:30:00.000Z",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Upload: {
            /** @example image/jpeg */
            readonly content_type: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @description End of the time in which messages can be sent with it; messages that have it keep it. */
            readonly expires_at: components["schemas"]["Timestamp"];
            /** @example parcel.jpg */
            readonly file_name: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-8000-8000-00000000001a
             */
            readonly id: string;
            /**
             * @description In bytes.
             * @example 48213
             */
            readonly size: number;
            /** @enum {string} */
            readonly type: "image" | "video" | "audio" | "document";
        };
        /**
         * @description An attempt at a delivery.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000d",
         *       "number": 1,
         *       "started_at": "2026-05-04T08:30:01.030Z",
         *       "duration_ms": 41,
         *       "status": 200,
         *       "error": null,
         *       "answer": "ok"
         *     }
         */
        readonly WebhookAttempt: {
            /**
             * @description Start of the response.
             * @example ok
             */
            readonly answer: string | null;
            /** @example 41 */
            readonly duration_ms: number;
            /** @description Why there was no response, or the error of a subscription's function. */
            readonly error: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000d
             */
            readonly id: string;
            readonly number: number;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly started_at: components["schemas"]["Timestamp"];
            /**
             * @description Null without a response, and for subscriptions.
             * @example 200
             */
            readonly status: number | null;
        };
        /**
         * @description Delivery of one event to one endpoint, with every attempt that is still kept.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000013",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "endpoint_id": "0190a1b2-0000-7000-8000-00000000000c",
         *       "event_id": "0190a1b2-0000-7000-8000-00000000000e",
         *       "event_type": "message.delivered",
         *       "status": "delivered",
         *       "attempt_count": 1,
         *       "created_at": "2026-05-04T08:30:01.030Z",
         *       "completed_at": "2026-05-04T08:30:01.030Z",
         *       "next_attempt_at": null,
         *       "waiting_for": null,
         *       "attempts": [
         *         {
         *           "id": "0190a1b2-0000-7000-8000-00000000000d",
         *           "number": 1,
         *           "started_at": "2026-05-04T08:30:01.030Z",
         *           "duration_ms": 41,
         *           "status": 200,
         *           "error": null,
         *           "answer": "ok"
         *         }
         *       ]
         *     }
         */
        readonly WebhookDelivery: {
            /**
             * Format: uuid
             * @description Null for a subscription to the events of the whole workspace.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            readonly attempt_count: number;
            readonly attempts: readonly components["schemas"]["WebhookAttempt"][];
            /** @example 2026-05-04T08:30:01.030Z */
            readonly completed_at: components["schemas"]["Timestamp"] | null;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000c
             */
            readonly endpoint_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000e
             */
            readonly event_id: string;
            /**
             * @description Null after the event's retention.
             * @example message.delivered
             * @enum {string|null}
             */
            readonly event_type: "message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test" | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000013
             */
            readonly id: string;
            /** @description Time of the next attempt; null if none is planned. */
            readonly next_attempt_at: components["schemas"]["Timestamp"] | null;
            /**
             * @example delivered
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed";
            /**
             * @description Condition for the next attempt; null if only its time is awaited. `job_retried`: its job, which has the delivery's id, is parked after too many failures. `secret_key`: no host that tried it has the key of its endpoint's URL and signing secret; its job names the key, which belongs into `PARLEY_SECRET_KEY_PREVIOUS` (`previousSecretKeys` of createParley). `earlier_delivery`: an earlier event of its conversation is not delivered yet.
             * @enum {string|null}
             */
            readonly waiting_for: "endpoint_enabled" | "application_active" | "scope_granted" | "job_retried" | "secret_key" | "earlier_delivery" | null;
        };
        /**
         * @description A URL that receives an application's events.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000c",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "url": "https://shop.example.org/hooks/parley",
         *       "events": [
         *         "message.delivered",
         *         "message.failed"
         *       ],
         *       "description": null,
         *       "status": "active",
         *       "consecutive_failures": 0,
         *       "ordered": null,
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Null for a subscription to the events of the whole workspace.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            /**
             * @description Consecutive failed attempts; 25 disable the endpoint.
             * @example 0
             */
            readonly consecutive_failures: number;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly description: string | null;
            /**
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            readonly events: readonly ("message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test" | "*")[];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000c
             */
            readonly id: string;
            /**
             * @description `conversation`: a subscription that handles the events of a conversation one after another.
             * @enum {string|null}
             */
            readonly ordered: "conversation" | null;
            /** @enum {string} */
            readonly status: "active" | "disabled" | "deleted";
            /** @example https://shop.example.org/hooks/parley */
            readonly url: string;
        };
        /**
         * @description A webhook endpoint with its signing secret, shown this once.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000c",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "url": "https://shop.example.org/hooks/parley",
         *       "events": [
         *         "message.delivered",
         *         "message.failed"
         *       ],
         *       "description": null,
         *       "status": "active",
         *       "consecutive_failures": 0,
         *       "ordered": null,
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "secret": "whsec_0123456789abcdefghijklmnopqrstuv"
         *     }
         */
        readonly WebhookEndpointWithSecret: {
            /**
             * Format: uuid
             * @description Null for a subscription to the events of the whole workspace.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string | null;
            /**
             * @description Consecutive failed attempts; 25 disable the endpoint.
             * @example 0
             */
            readonly consecutive_failures: number;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly description: string | null;
            /**
             * @example [
             *       "message.delivered",
             *       "message.failed"
             *     ]
             */
            readonly events: readonly ("message.received" | "message.queued" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "conversation.created" | "conversation.assigned" | "conversation.status_changed" | "contact.created" | "contact.updated" | "lead.created" | "lead.stage_changed" | "bot.started" | "bot.handoff" | "bot.completed" | "enqueued.failed" | "webhook.test" | "*")[];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000c
             */
            readonly id: string;
            /**
             * @description `conversation`: a subscription that handles the events of a conversation one after another.
             * @enum {string|null}
             */
            readonly ordered: "conversation" | null;
            /** @example whsec_0123456789abcdefghijklmnopqrstuv */
            readonly secret: string;
            /** @enum {string} */
            readonly status: "active" | "disabled" | "deleted";
            /** @example https://shop.example.org/hooks/parley */
            readonly url: string;
        };
        readonly WebhooksFindDeliveriesQuery: {
            /**
             * Format: uuid
             * @description Only the delivery with this attempt: the `X-Delivery-ID`.
             */
            readonly attempt_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /**
             * Format: uuid
             * @description Only those to this endpoint.
             */
            readonly endpoint_id?: string;
            /**
             * Format: uuid
             * @description Only those of this event.
             */
            readonly event_id?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this message's events.
             */
            readonly message_id?: string;
            /**
             * @description Only those with this status.
             * @enum {string}
             */
            readonly status?: "pending" | "delivered" | "failed";
        };
        readonly WebhooksListDeliveriesQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * @description Only those with this status.
             * @enum {string}
             */
            readonly status?: "pending" | "delivered" | "failed";
        };
        readonly WebhooksListOfWorkspaceQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
        };
        readonly WebhooksListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
        };
        /**
         * @description An automation that a business event starts once it is published; with its latest edits.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000014",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Tell of shipping",
         *       "status": "published",
         *       "trigger": {
         *         "type": "external_event",
         *         "event": "order.shipped"
         *       },
         *       "conditions": {
         *         "all": [
         *           {
         *             "lifecycle_stage": {
         *               "is": "customer"
         *             }
         *           },
         *           {
         *             "not": {
         *               "tag": {
         *                 "has": "no updates"
         *               }
         *             }
         *           }
         *         ]
         *       },
         *       "actions": [
         *         {
         *           "type": "send_message",
         *           "name": "on WhatsApp",
         *           "channel": "whatsapp",
         *           "template": "order_shipped",
         *           "language": "en",
         *           "variables": [
         *             "{{contact.first_name}}",
         *             "{{data.order.number}}"
         *           ],
         *           "wait_until": "delivered",
         *           "within": "10m",
         *           "on_error": "continue"
         *         }
         *       ],
         *       "published_version": 2,
         *       "has_unpublished_changes": false,
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Workflow: {
            /** @description The actions, in order. */
            readonly actions: readonly components["schemas"]["WorkflowAction"][];
            /** @description The condition that an event must meet; null: none. */
            readonly conditions: components["schemas"]["WorkflowCondition"] | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @description Whether conditions or actions differ from the published version. */
            readonly has_unpublished_changes: boolean;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000014
             */
            readonly id: string;
            /** @example Tell of shipping */
            readonly name: string;
            /**
             * @description Number of the version that events start; null while unpublished.
             * @example 2
             */
            readonly published_version: number | null;
            /**
             * @example published
             * @enum {string}
             */
            readonly status: "draft" | "published" | "unpublished";
            readonly trigger: {
                /**
                 * @description The name of the event that starts it, matched exactly.
                 * @example order.shipped
                 */
                readonly event: string;
                /** @enum {string} */
                readonly type: "external_event";
            };
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description An action, by its `type`. Every action may have a `name`, an `if`, and `on_error`: whether the run stops or continues if it fails. Text may have placeholders: `{{data.<key>}}`, `{{contact.<field>}}`, `{{event}}`; durations are `90s`, `10m`, `2h`, `3d`.
         * @example {
         *       "type": "send_message",
         *       "name": "on WhatsApp",
         *       "channel": "whatsapp",
         *       "template": "order_shipped",
         *       "language": "en",
         *       "variables": [
         *         "{{contact.first_name}}",
         *         "{{data.order.number}}"
         *       ],
         *       "wait_until": "delivered",
         *       "within": "10m",
         *       "on_error": "continue"
         *     }
         * @example {
         *       "type": "add_tag",
         *       "tag": "shipped"
         *     }
         * @example {
         *       "type": "wait",
         *       "until": "09:00",
         *       "timezone": "contact"
         *     }
         * @example {
         *       "type": "call_webhook",
         *       "url": "https://shop.example.org/told",
         *       "body": {
         *         "order": "{{data.order.number}}"
         *       }
         *     }
         */
        readonly WorkflowAction: {
            readonly attachments?: readonly {
                readonly content_type?: string;
                readonly file_name?: string | null;
                readonly url: string;
            }[] | null;
            readonly body?: string | null;
            readonly button_variables?: readonly string[] | null;
            readonly cards?: readonly {
                readonly button_variables?: readonly string[] | null;
                readonly product?: {
                    readonly catalog: string;
                    readonly id: string;
                } | null;
                readonly variables?: readonly string[] | null;
            }[] | null;
            /** Format: channel */
            readonly channel?: ChannelName;
            /** Format: uuid */
            readonly connection_id?: string | null;
            /** @description `message.content` of a send, with its `type`. Its texts may have placeholders. */
            readonly content?: {
                readonly address?: string | null;
                readonly latitude: number;
                readonly longitude: number;
                readonly name?: string | null;
                /** @enum {string} */
                readonly type: "location";
                readonly url?: string | null;
            } | {
                readonly contacts: readonly {
                    readonly emails?: readonly string[] | null;
                    readonly name: string;
                    readonly organization?: string | null;
                    readonly phones?: readonly string[] | null;
                }[];
                /** @enum {string} */
                readonly type: "contacts";
            } | {
                readonly button?: string | null;
                readonly options: readonly {
                    readonly description?: string | null;
                    readonly id: string;
                    readonly title: string;
                }[];
                /** @enum {string} */
                readonly type: "choices";
            } | {
                readonly emoji?: string | null;
                /** @enum {string} */
                readonly type: "reaction";
            } | null;
            readonly header_variable?: string | null;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly language?: string | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            readonly products?: {
                readonly sections?: readonly {
                    readonly items: readonly string[];
                    readonly title?: string | null;
                }[] | null;
                readonly thumbnail?: string | null;
            } | null;
            readonly quoted?: string | null;
            readonly subject?: string | null;
            readonly template?: string | null;
            /** @enum {string} */
            readonly type: "send_message";
            readonly variables?: readonly string[] | null;
            /** @enum {string|null} */
            readonly wait_until?: "sent" | "delivered" | "read" | null;
            /**
             * @example 90s
             * @example 10m
             * @example 2h
             * @example 3d
             */
            readonly within?: string | null;
        } | {
            readonly body: string;
            /** Format: uuid */
            readonly connection_id?: string | null;
            readonly html?: string | null;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            readonly subject: string;
            /** @enum {string} */
            readonly type: "send_email";
            /** @enum {string|null} */
            readonly wait_until?: "sent" | "delivered" | "read" | null;
            /**
             * @example 90s
             * @example 10m
             * @example 2h
             * @example 3d
             */
            readonly within?: string | null;
        } | {
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            readonly tag: string;
            /** @enum {string} */
            readonly type: "add_tag";
        } | {
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            readonly tag: string;
            /** @enum {string} */
            readonly type: "remove_tag";
        } | {
            readonly contact: Record<string, unknown>;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** @enum {string} */
            readonly type: "update_contact";
        } | {
            readonly currency?: string | null;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** Format: uuid */
            readonly pipeline_id?: string | null;
            readonly stage?: string | null;
            readonly title?: string | null;
            /** @enum {string} */
            readonly type: "create_lead";
            readonly value?: number | string | null;
        } | {
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** Format: uuid */
            readonly pipeline_id?: string | null;
            readonly stage: string;
            /** @enum {string} */
            readonly type: "update_lead";
        } | {
            /** Format: uuid */
            readonly agent_id?: string | null;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** Format: uuid */
            readonly team_id?: string | null;
            /** @enum {string} */
            readonly type: "assign";
        } | {
            /** Format: uuid */
            readonly agent_id?: string | null;
            /**
             * @example 90s
             * @example 10m
             * @example 2h
             * @example 3d
             */
            readonly due_in?: string | null;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** Format: uuid */
            readonly team_id?: string | null;
            readonly title: string;
            /** @enum {string} */
            readonly type: "create_task";
        } | {
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly message: string;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** @enum {string} */
            readonly type: "notify";
        } | {
            readonly body?: Record<string, unknown> | null;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** @enum {string} */
            readonly type: "call_webhook";
            readonly url: string;
        } | {
            /** Format: uuid */
            readonly bot_id: string;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /** @enum {string} */
            readonly type: "start_bot";
        } | {
            readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] | null;
            /**
             * @example 90s
             * @example 10m
             * @example 2h
             * @example 3d
             */
            readonly for?: string | null;
            readonly if?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            /** @enum {string} */
            readonly on_error?: "stop" | "continue";
            /**
             * @example contact
             * @example workspace
             * @example Europe/Berlin
             */
            readonly timezone?: string | null;
            /** @enum {string} */
            readonly type: "wait";
            /** @example 09:00 */
            readonly until?: string | null;
        };
        /**
         * @description A definition to check.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "trigger": {
         *         "type": "external_event",
         *         "event": "order.shipped"
         *       },
         *       "conditions": {
         *         "not": {
         *           "tag": {
         *             "has": "no updates"
         *           }
         *         }
         *       },
         *       "actions": [
         *         {
         *           "type": "send_message",
         *           "name": "on WhatsApp",
         *           "channel": "whatsapp",
         *           "template": "order_shipped",
         *           "language": "en",
         *           "variables": [
         *             "{{contact.first_name}}",
         *             "{{data.order.number}}"
         *           ],
         *           "wait_until": "delivered",
         *           "within": "10m",
         *           "on_error": "continue"
         *         },
         *         {
         *           "type": "send_email",
         *           "if": {
         *             "step": {
         *               "failed": "on WhatsApp"
         *             }
         *           },
         *           "subject": "Your order {{data.order.number}}",
         *           "body": "Hello {{contact.first_name}}, your order is on its way."
         *         }
         *       ]
         *     }
         */
        readonly WorkflowCheck: {
            /** @description The actions, in order. */
            readonly actions?: readonly components["schemas"]["WorkflowAction"][];
            /** @description The condition that an event must meet; null: none. */
            readonly conditions?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string | null;
            readonly trigger: {
                /** @description The name of the event that starts it, matched exactly. */
                readonly event: string;
                /** @enum {string} */
                readonly type: "external_event";
            };
            /** Format: uuid */
            readonly workspace_id: string;
        };
        /**
         * @description The definition can be published; problems are answered as `validation_failed`.
         * @example {
         *       "valid": true
         *     }
         */
        readonly WorkflowCheckResult: {
            /** @enum {boolean} */
            readonly valid: true;
        };
        /**
         * @description A condition, with exactly one key: `all`, `any` and `not` combine others; each other key tests one property with one operator. Text such as `keyword.in` may have placeholders.
         * @example {
         *       "all": [
         *         {
         *           "lifecycle_stage": {
         *             "is": "customer"
         *           }
         *         },
         *         {
         *           "not": {
         *             "tag": {
         *               "has": "no updates"
         *             }
         *           }
         *         }
         *       ]
         *     }
         * @example {
         *       "data": {
         *         "key": "order.total",
         *         "is_more_than": 100
         *       }
         *     }
         * @example {
         *       "time": {
         *         "days": [
         *           "mon",
         *           "tue"
         *         ],
         *         "from": "09:00",
         *         "until": "17:00",
         *         "timezone": "contact"
         *       }
         *     }
         * @example {
         *       "step": {
         *         "failed": "on WhatsApp"
         *       }
         *     }
         */
        readonly WorkflowCondition: {
            readonly all?: readonly components["schemas"]["WorkflowCondition"][];
            readonly any?: readonly components["schemas"]["WorkflowCondition"][];
            readonly assigned_agent?: {
                /** Format: uuid */
                readonly is?: string;
                readonly is_none_of?: readonly string[];
                /** Format: uuid */
                readonly is_not?: string;
                readonly is_one_of?: readonly string[];
                readonly is_set?: boolean;
            };
            readonly channel?: {
                /** Format: channel */
                readonly has?: ChannelName;
                readonly has_any_of?: readonly ChannelName[];
                readonly has_none_of?: readonly ChannelName[];
                /** Format: channel */
                readonly has_not?: ChannelName;
            };
            readonly country?: {
                readonly is?: string;
                readonly is_none_of?: readonly string[];
                readonly is_not?: string;
                readonly is_one_of?: readonly string[];
            };
            readonly data?: {
                readonly is?: string | number | boolean;
                readonly is_given?: boolean;
                readonly is_less_than?: number;
                readonly is_more_than?: number;
                readonly is_not?: string | number | boolean;
                readonly key: string;
            };
            readonly keyword?: {
                readonly contains?: string;
                readonly contains_any_of?: readonly string[];
                readonly in?: string;
                readonly is?: string;
                readonly starts_with?: string;
            };
            readonly lifecycle_stage?: {
                /** @enum {string} */
                readonly is?: "lead" | "prospect" | "customer" | "churned";
                readonly is_none_of?: readonly ("lead" | "prospect" | "customer" | "churned")[];
                /** @enum {string} */
                readonly is_not?: "lead" | "prospect" | "customer" | "churned";
                readonly is_one_of?: readonly ("lead" | "prospect" | "customer" | "churned")[];
            };
            readonly not?: components["schemas"]["WorkflowCondition"];
            readonly pipeline_stage?: {
                readonly is?: string;
                readonly is_none_of?: readonly string[];
                readonly is_not?: string;
                readonly is_one_of?: readonly string[];
                /** Format: uuid */
                readonly pipeline_id?: string;
            };
            readonly step?: {
                readonly done?: string;
                readonly failed?: string;
            };
            readonly tag?: {
                readonly has?: string;
                readonly has_any_of?: readonly string[];
                readonly has_none_of?: readonly string[];
                readonly has_not?: string;
            };
            readonly time?: {
                readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                /** @example 09:00 */
                readonly from?: string;
                /**
                 * @example contact
                 * @example workspace
                 * @example Europe/Berlin
                 */
                readonly timezone?: string;
                /** @example 09:00 */
                readonly until?: string;
            };
        };
        /**
         * @description Expected result of a run now, if waits ended at once, messages reached the wanted status and webhooks answered 200.
         * @example {
         *       "status": "completed",
         *       "reason": null,
         *       "steps": [
         *         {
         *           "position": 0,
         *           "type": "send_message",
         *           "name": "on WhatsApp",
         *           "outcome": "done",
         *           "detail": "the message 0190a1b2-0000-7000-8000-000000000005 was delivered",
         *           "started_at": "2026-05-04T08:30:00.000Z",
         *           "ended_at": "2026-05-04T08:30:01.030Z",
         *           "attempts": 1,
         *           "says": "Hello Ada, your order 1042 is on its way."
         *         }
         *       ]
         *     }
         */
        readonly WorkflowDryRun: {
            /** @description Why it ended before its last action; null if it did not. */
            readonly reason: string | null;
            /**
             * @example completed
             * @enum {string}
             */
            readonly status: "running" | "waiting" | "completed" | "skipped" | "failed" | "stopped";
            readonly steps: readonly components["schemas"]["DryWorkflowStep"][];
        };
        /**
         * @description A definition to try, and an event as an application would send it.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "trigger": {
         *         "type": "external_event",
         *         "event": "order.shipped"
         *       },
         *       "conditions": {
         *         "not": {
         *           "tag": {
         *             "has": "no updates"
         *           }
         *         }
         *       },
         *       "actions": [
         *         {
         *           "type": "send_message",
         *           "name": "on WhatsApp",
         *           "channel": "whatsapp",
         *           "template": "order_shipped",
         *           "language": "en",
         *           "variables": [
         *             "{{contact.first_name}}",
         *             "{{data.order.number}}"
         *           ],
         *           "wait_until": "delivered",
         *           "within": "10m",
         *           "on_error": "continue"
         *         },
         *         {
         *           "type": "send_email",
         *           "if": {
         *             "step": {
         *               "failed": "on WhatsApp"
         *             }
         *           },
         *           "subject": "Your order {{data.order.number}}",
         *           "body": "Hello {{contact.first_name}}, your order is on its way."
         *         }
         *       ],
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "data": {
         *         "order": {
         *           "number": "1042"
         *         }
         *       }
         *     }
         */
        readonly WorkflowDryRunInput: {
            /** @description The actions, in order. */
            readonly actions?: readonly components["schemas"]["WorkflowAction"][];
            /**
             * Format: uuid
             * @description Application of the event; the run has that application's permissions.
             */
            readonly application_id: string;
            /** @description The condition that an event must meet; null: none. */
            readonly conditions?: components["schemas"]["WorkflowCondition"] | null;
            /**
             * Format: uuid
             * @description The contact of the event; or `identity`.
             */
            readonly contact_id?: string | null;
            /** @description Available to workflows as `{{data.<key>}}`; at most 32 levels deep. */
            readonly data?: Record<string, unknown> | null;
            /** @description A handle of the contact on a channel. */
            readonly identity?: {
                /** @enum {string} */
                readonly channel: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
                readonly external_id: string;
            } | null;
            readonly trigger: {
                /** @description The name of the event that starts it, matched exactly. */
                readonly event: string;
                /** @enum {string} */
                readonly type: "external_event";
            };
            /** Format: uuid */
            readonly workspace_id: string;
        };
        /**
         * @description A workflow to create; it is a draft until it is published.
         * @example {
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Tell of shipping",
         *       "trigger": {
         *         "type": "external_event",
         *         "event": "order.shipped"
         *       },
         *       "conditions": {
         *         "not": {
         *           "tag": {
         *             "has": "no updates"
         *           }
         *         }
         *       },
         *       "actions": [
         *         {
         *           "type": "send_message",
         *           "name": "on WhatsApp",
         *           "channel": "whatsapp",
         *           "template": "order_shipped",
         *           "language": "en",
         *           "variables": [
         *             "{{contact.first_name}}",
         *             "{{data.order.number}}"
         *           ],
         *           "wait_until": "delivered",
         *           "within": "10m",
         *           "on_error": "continue"
         *         },
         *         {
         *           "type": "send_email",
         *           "if": {
         *             "step": {
         *               "failed": "on WhatsApp"
         *             }
         *           },
         *           "subject": "Your order {{data.order.number}}",
         *           "body": "Hello {{contact.first_name}}, your order is on its way."
         *         }
         *       ]
         *     }
         */
        readonly WorkflowInput: {
            /** @description The actions, in order. */
            readonly actions?: readonly components["schemas"]["WorkflowAction"][];
            /** @description The condition that an event must meet; null: none. */
            readonly conditions?: components["schemas"]["WorkflowCondition"] | null;
            readonly name: string;
            readonly trigger: {
                /** @description The name of the event that starts it, matched exactly. */
                readonly event: string;
                /** @enum {string} */
                readonly type: "external_event";
            };
            /** Format: uuid */
            readonly workspace_id: string;
        };
        /**
         * @description What to change; conditions and actions are each replaced as a whole. A published workflow keeps its trigger.
         * @example {
         *       "name": "Tell that it was shipped",
         *       "conditions": null
         *     }
         */
        readonly WorkflowPatch: {
            /** @description The actions, in order. */
            readonly actions?: readonly components["schemas"]["WorkflowAction"][];
            /** @description The condition that an event must meet; null: none. */
            readonly conditions?: components["schemas"]["WorkflowCondition"] | null;
            readonly name?: string;
            readonly trigger?: {
                /** @description The name of the event that starts it, matched exactly. */
                readonly event: string;
                /** @enum {string} */
                readonly type: "external_event";
            };
            /** @description May be repeated, but not changed. */
            readonly workspace_id?: unknown;
        };
        /**
         * @description The execution of one workflow for one event.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000001c",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "workflow_id": "0190a1b2-0000-7000-8000-000000000014",
         *       "application_id": "0190a1b2-0000-7000-8000-000000000011",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "status": "waiting",
         *       "reason": null,
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "ended_at": null,
         *       "event": {
         *         "id": "0190a1b2-0000-7000-8000-00000000001d",
         *         "name": "order.shipped",
         *         "data": {
         *           "order": {
         *             "number": "1042"
         *           }
         *         }
         *       },
         *       "version": 2,
         *       "steps": [],
         *       "pending": {
         *         "position": 0,
         *         "type": "send_message",
         *         "name": "on WhatsApp",
         *         "started_at": "2026-05-04T08:30:00.000Z",
         *         "attempts": 1,
         *         "message_id": "0190a1b2-0000-7000-8000-000000000005",
         *         "until": "2026-05-04T08:40:00.000Z",
         *         "error": null,
         *         "explanation": "waits until 2026-05-04T08:40:00.000Z for the message 0190a1b2-0000-7000-8000-000000000005 to be delivered"
         *       },
         *       "job": {
         *         "id": "0190a1b2-0000-7000-8000-00000000001e",
         *         "state": "retrying",
         *         "explanation": "Its job failed 3 times, the last time with: TypeError. The next try is at 2026-05-04T08:30:01.030Z.",
         *         "next_at": null,
         *         "lease_owner": null,
         *         "error": "TypeError"
         *       }
         *     }
         */
        readonly WorkflowRun: {
            /**
             * Format: uuid
             * @description Application whose event started it; the run has that application's permissions.
             * @example 0190a1b2-0000-7000-8000-000000000011
             */
            readonly application_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly ended_at: components["schemas"]["Timestamp"] | null;
            readonly event: {
                /**
                 * @description The event's data as received.
                 * @example {
                 *       "order": {
                 *         "number": "1042"
                 *       }
                 *     }
                 */
                readonly data: Record<string, unknown>;
                /**
                 * Format: uuid
                 * @example 0190a1b2-0000-7000-8000-00000000001d
                 */
                readonly id: string;
                /** @example order.shipped */
                readonly name: string;
            };
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000001c
             */
            readonly id: string;
            /** @description Its job in the queue; null after its end. */
            readonly job: components["schemas"]["WorkflowRunJob"] | null;
            /** @description The action in progress; null without one. */
            readonly pending: components["schemas"]["PendingWorkflowAction"] | null;
            /** @description Why it ended before its last action; null if it did not. */
            readonly reason: string | null;
            /**
             * @description `skipped`: the workflow's conditions did not hold.
             * @example waiting
             * @enum {string}
             */
            readonly status: "running" | "waiting" | "completed" | "skipped" | "failed" | "stopped";
            /**
             * @description Results of the actions so far, in order.
             * @example []
             */
            readonly steps: readonly components["schemas"]["WorkflowStep"][];
            /**
             * @description Number of the version that it executes.
             * @example 2
             */
            readonly version: number;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000014
             */
            readonly workflow_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description State of a run's job in the queue, with the reason.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000001e",
         *       "state": "retrying",
         *       "explanation": "Its job failed 3 times, the last time with: TypeError. The next try is at 2026-05-04T08:30:01.030Z.",
         *       "next_at": null,
         *       "lease_owner": null,
         *       "error": "TypeError"
         *     }
         */
        readonly WorkflowRunJob: {
            /**
             * @description The last error; null if the last try did not fail.
             * @example TypeError
             */
            readonly error: string | null;
            /**
             * @description For people; its wording may change.
             * @example Its job failed 3 times, the last time with: TypeError. The next try is at 2026-05-04T08:30:01.030Z.
             */
            readonly explanation: string;
            /**
             * Format: uuid
             * @description For `/jobs/{id}`.
             * @example 0190a1b2-0000-7000-8000-00000000001e
             */
            readonly id: string;
            /** @description The process that runs it. */
            readonly lease_owner: string | null;
            /** @description Time of the next try; for a running job, the end of its lease. Null if it is parked. */
            readonly next_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description `retrying`: its last try failed. `parked`: it failed too often, and waits for an administrator.
             * @example retrying
             * @enum {string}
             */
            readonly state: "leased" | "due" | "waiting" | "retrying" | "parked";
        };
        readonly WorkflowRunsListOfWorkflowQuery: {
            /**
             * Format: uuid
             * @description Only those of this contact.
             */
            readonly contact_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * @description Only those with this status.
             * @enum {string}
             */
            readonly status?: "running" | "waiting" | "completed" | "skipped" | "failed" | "stopped";
        };
        readonly WorkflowRunsListQuery: {
            /**
             * Format: uuid
             * @description Only those of this contact.
             */
            readonly contact_id?: string;
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * @description Only those with this status.
             * @enum {string}
             */
            readonly status?: "running" | "waiting" | "completed" | "skipped" | "failed" | "stopped";
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly WorkflowsListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
            /**
             * Format: uuid
             * @description Only those of this workspace.
             */
            readonly workspace_id?: string;
        };
        readonly WorkflowsListVersionsQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
        };
        /**
         * @description Result of one action.
         * @example {
         *       "position": 0,
         *       "type": "send_message",
         *       "name": "on WhatsApp",
         *       "outcome": "done",
         *       "detail": "the message 0190a1b2-0000-7000-8000-000000000005 was delivered",
         *       "started_at": "2026-05-04T08:30:00.000Z",
         *       "ended_at": "2026-05-04T08:30:01.030Z",
         *       "attempts": 1
         *     }
         */
        readonly WorkflowStep: {
            /** @description Number of attempts. */
            readonly attempts: number;
            /**
             * @description Result or reason, for people; its wording may change.
             * @example the message 0190a1b2-0000-7000-8000-000000000005 was delivered
             */
            readonly detail: string;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly ended_at: components["schemas"]["Timestamp"];
            /**
             * @description Name by which later conditions refer to this action.
             * @example on WhatsApp
             */
            readonly name: string | null;
            /**
             * @description `skipped`: its `if` did not hold.
             * @enum {string}
             */
            readonly outcome: "done" | "failed" | "skipped";
            /**
             * @description Position of the action in the definition, from 0.
             * @example 0
             */
            readonly position: number;
            readonly started_at: components["schemas"]["Timestamp"];
            /** @example send_message */
            readonly type: string;
        };
        /**
         * @description A published definition of a workflow. It never changes: a run keeps the version that it started with.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000001b",
         *       "workflow_id": "0190a1b2-0000-7000-8000-000000000014",
         *       "number": 2,
         *       "conditions": {
         *         "all": [
         *           {
         *             "lifecycle_stage": {
         *               "is": "customer"
         *             }
         *           },
         *           {
         *             "not": {
         *               "tag": {
         *                 "has": "no updates"
         *               }
         *             }
         *           }
         *         ]
         *       },
         *       "actions": [
         *         {
         *           "type": "send_message",
         *           "name": "on WhatsApp",
         *           "channel": "whatsapp",
         *           "template": "order_shipped",
         *           "language": "en",
         *           "variables": [
         *             "{{contact.first_name}}",
         *             "{{data.order.number}}"
         *           ],
         *           "wait_until": "delivered",
         *           "within": "10m",
         *           "on_error": "continue"
         *         }
         *       ],
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly WorkflowVersion: {
            /** @description The actions, in order. */
            readonly actions: readonly components["schemas"]["WorkflowAction"][];
            /** @description The condition that an event must meet; null: none. */
            readonly conditions: components["schemas"]["WorkflowCondition"] | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000001b
             */
            readonly id: string;
            /**
             * @description From 1.
             * @example 2
             */
            readonly number: number;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000014
             */
            readonly workflow_id: string;
        };
        /**
         * @description A workflow with the secret that signs the webhooks it calls, shown this once.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000014",
         *       "workspace_id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Tell of shipping",
         *       "status": "published",
         *       "trigger": {
         *         "type": "external_event",
         *         "event": "order.shipped"
         *       },
         *       "conditions": {
         *         "all": [
         *           {
         *             "lifecycle_stage": {
         *               "is": "customer"
         *             }
         *           },
         *           {
         *             "not": {
         *               "tag": {
         *                 "has": "no updates"
         *               }
         *             }
         *           }
         *         ]
         *       },
         *       "actions": [
         *         {
         *           "type": "send_message",
         *           "name": "on WhatsApp",
         *           "channel": "whatsapp",
         *           "template": "order_shipped",
         *           "language": "en",
         *           "variables": [
         *             "{{contact.first_name}}",
         *             "{{data.order.number}}"
         *           ],
         *           "wait_until": "delivered",
         *           "within": "10m",
         *           "on_error": "continue"
         *         }
         *       ],
         *       "published_version": 2,
         *       "has_unpublished_changes": false,
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "secret": "whsec_0123456789abcdefghijklmnopqrstuv"
         *     }
         */
        readonly WorkflowWithSecret: {
            /** @description The actions, in order. */
            readonly actions: readonly components["schemas"]["WorkflowAction"][];
            /** @description The condition that an event must meet; null: none. */
            readonly conditions: components["schemas"]["WorkflowCondition"] | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @description Whether conditions or actions differ from the published version. */
            readonly has_unpublished_changes: boolean;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000014
             */
            readonly id: string;
            /** @example Tell of shipping */
            readonly name: string;
            /**
             * @description Number of the version that events start; null while unpublished.
             * @example 2
             */
            readonly published_version: number | null;
            /** @example whsec_0123456789abcdefghijklmnopqrstuv */
            readonly secret: string;
            /**
             * @example published
             * @enum {string}
             */
            readonly status: "draft" | "published" | "unpublished";
            readonly trigger: {
                /**
                 * @description The name of the event that starts it, matched exactly.
                 * @example order.shipped
                 */
                readonly event: string;
                /** @enum {string} */
                readonly type: "external_event";
            };
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly workspace_id: string;
        };
        /**
         * @description A tenant. Its data is invisible to other workspaces.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000010",
         *       "name": "Acme",
         *       "default_language": "en",
         *       "timezone": "Europe/Berlin",
         *       "status": "active",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Workspace: {
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example en */
            readonly default_language: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000010
             */
            readonly id: string;
            /** @example Acme */
            readonly name: string;
            /** @enum {string} */
            readonly status: "active" | "suspended" | "unavailable";
            /** @example Europe/Berlin */
            readonly timezone: string;
        };
        /**
         * @description A workspace to create.
         * @example {
         *       "name": "Acme",
         *       "default_language": "en",
         *       "timezone": "Europe/Berlin"
         *     }
         */
        readonly WorkspaceInput: {
            /**
             * @description The language of templates, if a send has none.
             * @example en
             */
            readonly default_language?: string | null;
            /** @example Acme */
            readonly name: string;
            /**
             * @description The IANA time zone of automations. Default: UTC.
             * @example Europe/Berlin
             */
            readonly timezone?: string | null;
        };
        /**
         * @description What to change.
         * @example {
         *       "status": "suspended"
         *     }
         */
        readonly WorkspacePatch: {
            readonly default_language?: string | null;
            readonly name?: string;
            /** @enum {string} */
            readonly status?: "active" | "suspended" | "unavailable";
            readonly timezone?: string;
        };
        readonly WorkspacesListQuery: {
            /** @description From `links.next` of the previous page; valid for the same filters only. */
            readonly cursor?: string;
            /** @description Page size. */
            readonly limit?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

type Schemas = components["schemas"]

/** Inputs and resources of the admin API, by name. */
export type AdminSchemas = Schemas

/** Calls of the admin API, by group. */
export interface AdminCalls {
  readonly workspaces: {
    /** `POST /workspaces`: create a workspace. */
    readonly create: (body: Schemas["WorkspaceInput"], options?: CreateOptions) => Promise<Answer<Schemas["Workspace"]>>
    /** `GET /workspaces`: list workspaces, newest first. */
    readonly list: (query?: Schemas["WorkspacesListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Workspace"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["WorkspacesListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Workspace"], void, undefined>
    /** `GET /workspaces/{id}`: read one workspace. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Workspace"]>>
    /** `PATCH /workspaces/{id}`: change a workspace or its status. */
    readonly update: (id: string, body: Schemas["WorkspacePatch"], options?: RequestOptions) => Promise<Answer<Schemas["Workspace"]>>
  }
  readonly applications: {
    /** `POST /applications`: create an application. */
    readonly create: (body: Schemas["ApplicationInput"], options?: CreateOptions) => Promise<Answer<Schemas["Application"]>>
    /** `GET /applications`: list applications, newest first. */
    readonly list: (query?: Schemas["ApplicationsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Application"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["ApplicationsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Application"], void, undefined>
    /** `GET /applications/{id}`: read one application. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Application"]>>
    /** `PATCH /applications/{id}`: change an application, suspend or activate it. */
    readonly update: (id: string, body: Schemas["ApplicationPatch"], options?: RequestOptions) => Promise<Answer<Schemas["Application"]>>
    /** `POST /applications/{id}/api-keys`: issue an API key; it is shown this once. */
    readonly issueKey: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["IssuedApiKey"]>>
    /** `GET /applications/{id}/api-keys`: list an application's API keys, newest first. */
    readonly listKeys: (id: string, query?: Schemas["ApplicationsListKeysQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["ApiKey"]>>
    /** Every row of {@link listKeys}; fetches pages on demand. */
    readonly listKeysAll: (id: string, query?: Schemas["ApplicationsListKeysQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["ApiKey"], void, undefined>
    /** `POST /applications/{id}/api-keys/{key_id}/rotate`: replace an API key: the old one stops working at once. */
    readonly rotateKey: (id: string, keyId: string, options?: CreateOptions) => Promise<Answer<Schemas["IssuedApiKey"]>>
    /** `DELETE /applications/{id}/api-keys/{key_id}`: revoke an API key. */
    readonly revokeKey: (id: string, keyId: string, options?: RequestOptions) => Promise<Answer<Schemas["ApiKey"]>>
    /** `POST /applications/{id}/oauth-clients`: issue an OAuth client; its secret is shown this once. */
    readonly issueClient: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["IssuedOAuthClient"]>>
    /** `GET /applications/{id}/oauth-clients`: list an application's OAuth clients, newest first. */
    readonly listClients: (id: string, query?: Schemas["ApplicationsListClientsQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["OAuthClient"]>>
    /** Every row of {@link listClients}; fetches pages on demand. */
    readonly listClientsAll: (id: string, query?: Schemas["ApplicationsListClientsQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["OAuthClient"], void, undefined>
    /** `POST /applications/{id}/oauth-clients/{client}/rotate`: replace an OAuth client's secret: the old one and its tokens stop working at once. */
    readonly rotateClient: (id: string, client: string, options?: CreateOptions) => Promise<Answer<Schemas["IssuedOAuthClient"]>>
    /** `DELETE /applications/{id}/oauth-clients/{client}`: revoke an OAuth client and its tokens. */
    readonly revokeClient: (id: string, client: string, options?: RequestOptions) => Promise<Answer<Schemas["OAuthClient"]>>
  }
  readonly webhooks: {
    /** `POST /applications/{id}/webhook-endpoints`: register a webhook endpoint; its secret is shown this once. */
    readonly create: (id: string, body: Schemas["EndpointInput"], options?: CreateOptions) => Promise<Answer<Schemas["WebhookEndpointWithSecret"]>>
    /** `GET /applications/{id}/webhook-endpoints`: list an application's webhook endpoints, newest first. */
    readonly list: (id: string, query?: Schemas["WebhooksListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["WebhookEndpoint"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (id: string, query?: Schemas["WebhooksListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["WebhookEndpoint"], void, undefined>
    /** `GET /workspaces/{id}/webhook-endpoints`: list the subscriptions to the events of a whole workspace, newest first. */
    readonly listOfWorkspace: (id: string, query?: Schemas["WebhooksListOfWorkspaceQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["WebhookEndpoint"]>>
    /** Every row of {@link listOfWorkspace}; fetches pages on demand. */
    readonly listOfWorkspaceAll: (id: string, query?: Schemas["WebhooksListOfWorkspaceQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["WebhookEndpoint"], void, undefined>
    /** `GET /webhook-endpoints/{id}`: read one webhook endpoint. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["WebhookEndpoint"]>>
    /** `PATCH /webhook-endpoints/{id}`: change a webhook endpoint, disable or enable it. */
    readonly update: (id: string, body: Schemas["EndpointPatch"], options?: RequestOptions) => Promise<Answer<Schemas["WebhookEndpoint"]>>
    /** `DELETE /webhook-endpoints/{id}`: delete a webhook endpoint. */
    readonly remove: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["WebhookEndpoint"]>>
    /** `POST /webhook-endpoints/{id}/rotate-secret`: replace the signing secret: the old one stops working at once. */
    readonly rotateSecret: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["WebhookEndpointWithSecret"]>>
    /** `POST /webhook-endpoints/{id}/test`: send a test delivery, without retries. */
    readonly test: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["WebhookDelivery"]>>
    /** `POST /webhook-endpoints/{id}/recover`: deliver every event since a time that the endpoint has not received. */
    readonly recover: (id: string, body: Schemas["RecoverInput"], options?: CreateOptions) => Promise<Answer<Schemas["Recovered"]>>
    /** `GET /webhook-endpoints/{id}/deliveries`: list an endpoint's deliveries, newest first. */
    readonly listDeliveries: (id: string, query?: Schemas["WebhooksListDeliveriesQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["ListedWebhookDelivery"]>>
    /** Every row of {@link listDeliveries}; fetches pages on demand. */
    readonly listDeliveriesAll: (id: string, query?: Schemas["WebhooksListDeliveriesQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["ListedWebhookDelivery"], void, undefined>
    /** `GET /webhook-deliveries`: find deliveries by message, event, attempt or endpoint, newest first. */
    readonly findDeliveries: (query?: Schemas["WebhooksFindDeliveriesQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["ListedWebhookDelivery"]>>
    /** Every row of {@link findDeliveries}; fetches pages on demand. */
    readonly findDeliveriesAll: (query?: Schemas["WebhooksFindDeliveriesQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["ListedWebhookDelivery"], void, undefined>
    /** `GET /webhook-deliveries/{id}`: read one delivery with every attempt. */
    readonly getDelivery: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["WebhookDelivery"]>>
    /** `POST /webhook-deliveries/{id}/replay`: send a delivery again, with the same event id. */
    readonly replay: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["WebhookDelivery"]>>
    /** `GET /messages/{id}/webhooks`: explain the webhooks of a message at every endpoint. */
    readonly ofMessage: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["MessageWebhooks"]>>
  }
  readonly connections: {
    /** `POST /connections`: connect a channel. */
    readonly create: (body: Schemas["ConnectionInput"], options?: CreateOptions) => Promise<Answer<Schemas["Connection"]>>
    /** `GET /connections`: list connections, newest first. */
    readonly list: (query?: Schemas["ConnectionsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Connection"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["ConnectionsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Connection"], void, undefined>
    /** `GET /connections/{id}`: read one connection. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Connection"]>>
    /** `PATCH /connections/{id}`: change a connection, pause, disconnect or activate it. */
    readonly update: (id: string, body: Schemas["ConnectionPatch"], options?: RequestOptions) => Promise<Answer<Schemas["Connection"]>>
    /** `POST /connections/{id}/check`: test a connection's settings without sending anything. */
    readonly check: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["ConnectionCheck"]>>
    /** `POST /connections/{id}/setup`: register a connection's webhook with the vendor. */
    readonly setUp: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["ConnectionCheck"]>>
    /** `POST /connections/{id}/sync-templates`: sync the templates of a connection's account now. */
    readonly syncTemplates: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["SyncedTemplates"]>>
    /** `POST /connections/{id}/import-history`: import what was written on a connection's account before it was connected. */
    readonly importHistory: (id: string, body: Schemas["HistoryImportInput"], options?: CreateOptions) => Promise<Answer<Schemas["HistoryImport"]>>
    /** `GET /providers`: list the available providers and the settings of each. */
    readonly providers: (options?: RequestOptions) => Promise<CursorPage<Schemas["Provider"]>>
    /** Every row of {@link providers}; fetches pages on demand. */
    readonly providersAll: (options?: RequestOptions) => AsyncGenerator<Schemas["Provider"], void, undefined>
    /** `POST /connections/{id}/simulate-inbound`: let a customer write to a sandbox connection. */
    readonly simulateInbound: (id: string, body: Schemas["SimulatedInbound"], options?: CreateOptions) => Promise<Answer<Schemas["Message"]>>
  }
  readonly templates: {
    /** `POST /templates`: create a template. */
    readonly create: (body: Schemas["TemplateInput"], options?: CreateOptions) => Promise<Answer<Schemas["AdminTemplate"]>>
    /** `GET /templates`: list templates, newest first. */
    readonly list: (query?: Schemas["TemplatesListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AdminTemplate"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["TemplatesListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AdminTemplate"], void, undefined>
    /** `GET /templates/{id}`: read one template. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["AdminTemplate"]>>
    /** `PATCH /templates/{id}`: change a template's text, category or status. */
    readonly update: (id: string, body: Schemas["TemplatePatch"], options?: RequestOptions) => Promise<Answer<Schemas["AdminTemplate"]>>
  }
  readonly pipelines: {
    /** `POST /pipelines`: create a pipeline. */
    readonly create: (body: Schemas["PipelineInput"], options?: CreateOptions) => Promise<Answer<Schemas["Pipeline"]>>
    /** `GET /pipelines`: list pipelines, newest first. */
    readonly list: (query?: Schemas["PipelinesListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Pipeline"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["PipelinesListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Pipeline"], void, undefined>
    /** `GET /pipelines/{id}`: read one pipeline. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Pipeline"]>>
    /** `PATCH /pipelines/{id}`: change a pipeline's name or stages. */
    readonly update: (id: string, body: Schemas["PipelinePatch"], options?: RequestOptions) => Promise<Answer<Schemas["Pipeline"]>>
  }
  readonly leads: {
    /** `GET /leads`: list leads, newest first. */
    readonly list: (query?: Schemas["LeadsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AdminLead"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["LeadsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AdminLead"], void, undefined>
    /** `GET /leads/{id}`: read one lead. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["AdminLead"]>>
    /** `PATCH /leads/{id}`: move a lead to another stage. */
    readonly update: (id: string, body: Schemas["LeadPatch"], options?: RequestOptions) => Promise<Answer<Schemas["AdminLead"]>>
  }
  readonly conversations: {
    /** `GET /conversations`: list conversations by last activity, newest first. */
    readonly list: (query?: Schemas["ConversationsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AdminConversation"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["ConversationsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AdminConversation"], void, undefined>
    /** `GET /conversations/{id}`: read one conversation. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["AdminConversation"]>>
    /** `PATCH /conversations/{id}`: change a conversation's status, assign or unassign it. */
    readonly update: (id: string, body: Schemas["ConversationPatch"], options?: RequestOptions) => Promise<Answer<Schemas["AdminConversation"]>>
    /** `POST /conversations/{id}/messages`: reply in a conversation as an agent. */
    readonly reply: (id: string, body: Schemas["ReplyInput"], options?: CreateOptions) => Promise<Answer<Schemas["AdminMessage"]>>
    /** `POST /conversations/{id}/typing`: show the customer that the business types. */
    readonly typing: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["Signal"]>>
    /** `POST /conversations/{id}/read`: show the customer that the business has read the messages. */
    readonly read: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["Signal"]>>
  }
  readonly attachments: {
    /** `POST /attachments`: upload a file to send it in replies of agents. */
    readonly create: (file: Uint8Array | Blob, query: Schemas["AttachmentsCreateQuery"], options?: CreateOptions) => Promise<Answer<Schemas["Upload"]>>
    /** `GET /attachments/{id}`: read one upload of an administrator. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Upload"]>>
  }
  readonly messages: {
    /** `GET /messages`: list messages, newest first. */
    readonly list: (query?: Schemas["MessagesListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AdminMessage"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["MessagesListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AdminMessage"], void, undefined>
    /** `GET /messages/{id}`: read one message. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["AdminMessage"]>>
    /** `GET /messages/{id}/sending`: explain the progress of a message to its provider. */
    readonly sending: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["MessageSending"]>>
    /** `GET /messages/{id}/raw`: read the vendor's JSON of a message, kept as long as events. */
    readonly raw: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["RawMessage"]>>
  }
  readonly tasks: {
    /** `POST /tasks`: create a task. */
    readonly create: (body: Schemas["TaskInput"], options?: CreateOptions) => Promise<Answer<Schemas["Task"]>>
    /** `GET /tasks`: list tasks, newest first. */
    readonly list: (query?: Schemas["TasksListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Task"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["TasksListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Task"], void, undefined>
    /** `GET /tasks/{id}`: read one task. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Task"]>>
    /** `PATCH /tasks/{id}`: change a task, finish or reopen it. */
    readonly update: (id: string, body: Schemas["TaskPatch"], options?: RequestOptions) => Promise<Answer<Schemas["Task"]>>
  }
  readonly contacts: {
    /** `POST /contacts`: create a contact. */
    readonly create: (body: Schemas["AdminContactInput"], options?: CreateOptions) => Promise<Answer<Schemas["AdminContact"]>>
    /** `POST /contacts/import`: import up to 500 contacts. */
    readonly import: (body: Schemas["ImportInput"], options?: CreateOptions) => Promise<Answer<Schemas["ImportReport"]>>
    /** `GET /contacts`: list contacts, newest first, or find the one that has a handle. */
    readonly list: (query?: Schemas["ContactsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AdminContact"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["ContactsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AdminContact"], void, undefined>
    /** `GET /contacts/search`: search the contacts of a workspace, in order of name. */
    readonly search: (query: Schemas["ContactsSearchQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AdminContact"]>>
    /** Every row of {@link search}; fetches pages on demand. */
    readonly searchAll: (query: Schemas["ContactsSearchQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AdminContact"], void, undefined>
    /** `GET /contacts/{id}`: read one contact. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["AdminContact"]>>
    /** `GET /contacts/{id}/history`: list what happened with a contact, newest first. */
    readonly history: (id: string, query?: Schemas["ContactsHistoryQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["ContactHistoryEntry"]>>
    /** Every row of {@link history}; fetches pages on demand. */
    readonly historyAll: (id: string, query?: Schemas["ContactsHistoryQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["ContactHistoryEntry"], void, undefined>
    /** `PATCH /contacts/{id}`: change a contact. */
    readonly update: (id: string, body: Schemas["ContactPatch"], options?: RequestOptions) => Promise<Answer<Schemas["AdminContact"]>>
    /** `POST /contacts/{id}/merge`: merge another contact into this one. */
    readonly merge: (id: string, body: Schemas["MergeInput"], options?: CreateOptions) => Promise<Answer<Schemas["AdminContact"]>>
    /** `DELETE /contacts/{id}`: erase a contact and all its data. */
    readonly erase: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["AdminContact"]>>
  }
  readonly customFields: {
    /** `POST /custom-fields`: add a field to a workspace's contacts. */
    readonly create: (body: Schemas["CustomFieldInput"], options?: CreateOptions) => Promise<Answer<Schemas["CustomField"]>>
    /** `GET /custom-fields`: list a workspace's custom fields by key, all on one page. */
    readonly list: (query: Schemas["CustomFieldsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["CustomField"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query: Schemas["CustomFieldsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["CustomField"], void, undefined>
  }
  readonly agents: {
    /** `POST /agents`: create an agent. */
    readonly create: (body: Schemas["AgentInput"], options?: CreateOptions) => Promise<Answer<Schemas["Agent"]>>
    /** `GET /agents`: list agents, newest first. */
    readonly list: (query?: Schemas["AgentsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Agent"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["AgentsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Agent"], void, undefined>
    /** `GET /agents/{id}`: read one agent. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Agent"]>>
    /** `PATCH /agents/{id}`: change an agent's name, email, avatar or status. */
    readonly update: (id: string, body: Schemas["AgentPatch"], options?: RequestOptions) => Promise<Answer<Schemas["Agent"]>>
  }
  readonly teams: {
    /** `POST /teams`: create a team. */
    readonly create: (body: Schemas["TeamInput"], options?: CreateOptions) => Promise<Answer<Schemas["Team"]>>
    /** `GET /teams`: list teams, newest first. */
    readonly list: (query?: Schemas["TeamsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Team"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["TeamsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Team"], void, undefined>
    /** `GET /teams/{id}`: read one team. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Team"]>>
    /** `PATCH /teams/{id}`: change a team's name or agents. */
    readonly update: (id: string, body: Schemas["TeamPatch"], options?: RequestOptions) => Promise<Answer<Schemas["Team"]>>
  }
  readonly workflows: {
    /** `POST /workflows`: create a workflow as a draft; its signing secret is shown this once. */
    readonly create: (body: Schemas["WorkflowInput"], options?: CreateOptions) => Promise<Answer<Schemas["WorkflowWithSecret"]>>
    /** `POST /workflows/validate`: validate a workflow for publishing; nothing is written. */
    readonly validate: (body: Schemas["WorkflowCheck"], options?: CreateOptions) => Promise<Answer<Schemas["WorkflowCheckResult"]>>
    /** `GET /workflows`: list workflows, newest first. */
    readonly list: (query?: Schemas["WorkflowsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Workflow"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["WorkflowsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Workflow"], void, undefined>
    /** `GET /workflows/{id}`: read one workflow, with its latest edits. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Workflow"]>>
    /** `PATCH /workflows/{id}`: change a workflow; the published version stays in effect until the next publish. */
    readonly update: (id: string, body: Schemas["WorkflowPatch"], options?: RequestOptions) => Promise<Answer<Schemas["Workflow"]>>
    /** `POST /workflows/{id}/publish`: publish a workflow's current definition: events of its name start it from now on. */
    readonly publish: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["Workflow"]>>
    /** `POST /workflows/{id}/unpublish`: unpublish a workflow: no event starts it; active runs continue. */
    readonly unpublish: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["Workflow"]>>
    /** `POST /workflows/{id}/rotate-secret`: replace the signing secret of a workflow's webhooks: the old one stops working at once. */
    readonly rotateSecret: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["WorkflowWithSecret"]>>
    /** `GET /workflows/{id}/versions`: list the published versions of a workflow, newest first. */
    readonly listVersions: (id: string, query?: Schemas["WorkflowsListVersionsQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["WorkflowVersion"]>>
    /** Every row of {@link listVersions}; fetches pages on demand. */
    readonly listVersionsAll: (id: string, query?: Schemas["WorkflowsListVersionsQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["WorkflowVersion"], void, undefined>
  }
  readonly workflowRuns: {
    /** `GET /workflows/{id}/runs`: list a workflow's runs, newest first. */
    readonly listOfWorkflow: (id: string, query?: Schemas["WorkflowRunsListOfWorkflowQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["ListedWorkflowRun"]>>
    /** Every row of {@link listOfWorkflow}; fetches pages on demand. */
    readonly listOfWorkflowAll: (id: string, query?: Schemas["WorkflowRunsListOfWorkflowQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["ListedWorkflowRun"], void, undefined>
    /** `GET /workflow-runs`: list the runs of all workflows, newest first. */
    readonly list: (query?: Schemas["WorkflowRunsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["ListedWorkflowRun"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["WorkflowRunsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["ListedWorkflowRun"], void, undefined>
    /** `GET /workflow-runs/{id}`: read one run: the result of each action, and what the run waits for. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["WorkflowRun"]>>
    /** `POST /workflow-runs/{id}/stop`: stop a run: no further action is executed. */
    readonly stop: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["WorkflowRun"]>>
    /** `POST /workflow-runs/{id}/retry`: try a failed run again, from the action that failed. */
    readonly retry: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["WorkflowRun"]>>
    /** `POST /workflows/dry-run`: dry-run a definition: nothing is written, sent or called. */
    readonly dryRun: (body: Schemas["WorkflowDryRunInput"], options?: CreateOptions) => Promise<Answer<Schemas["WorkflowDryRun"]>>
  }
  readonly bots: {
    /** `POST /bots`: create a bot. */
    readonly create: (body: Schemas["BotInput"], options?: CreateOptions) => Promise<Answer<Schemas["AdminBot"]>>
    /** `GET /bots`: list bots, newest first. */
    readonly list: (query?: Schemas["BotsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AdminBot"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["BotsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AdminBot"], void, undefined>
    /** `GET /bots/{id}`: read one bot. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["AdminBot"]>>
    /** `PATCH /bots/{id}`: change a bot's script, or activate or deactivate it. */
    readonly update: (id: string, body: Schemas["BotPatch"], options?: RequestOptions) => Promise<Answer<Schemas["AdminBot"]>>
    /** `GET /bots/{id}/sessions`: list a bot's dialogues, newest first. */
    readonly listSessions: (id: string, query?: Schemas["BotsListSessionsQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["BotSession"]>>
    /** Every row of {@link listSessions}; fetches pages on demand. */
    readonly listSessionsAll: (id: string, query?: Schemas["BotsListSessionsQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["BotSession"], void, undefined>
    /** `GET /bot-sessions/{id}`: read one dialogue of a bot: collected answers and current step. */
    readonly getSession: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["BotSession"]>>
  }
  readonly logs: {
    /** `GET /request-log`: list requests of applications and their responses, newest first. */
    readonly requests: (query?: Schemas["LogsRequestsQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["LoggedRequest"]>>
    /** Every row of {@link requests}; fetches pages on demand. */
    readonly requestsAll: (query?: Schemas["LogsRequestsQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["LoggedRequest"], void, undefined>
    /** `GET /request-log/{id}`: read the log line of the request with this X-Request-ID. */
    readonly request: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["LoggedRequest"]>>
    /** `GET /audit-log`: list changes of credentials and status with their actors, newest first. */
    readonly audit: (query?: Schemas["LogsAuditQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["AuditEntry"]>>
    /** Every row of {@link audit}; fetches pages on demand. */
    readonly auditAll: (query?: Schemas["LogsAuditQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["AuditEntry"], void, undefined>
    /** `GET /notifications`: list notifications to administrators, newest first. */
    readonly notifications: (query?: Schemas["LogsNotificationsQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Notification"]>>
    /** Every row of {@link notifications}; fetches pages on demand. */
    readonly notificationsAll: (query?: Schemas["LogsNotificationsQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Notification"], void, undefined>
    /** `GET /connections/{id}/unknown-events`: list unknown events of a connection's vendor, newest first. */
    readonly unknownEvents: (id: string, query?: Schemas["LogsUnknownEventsQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["UnknownEvent"]>>
    /** Every row of {@link unknownEvents}; fetches pages on demand. */
    readonly unknownEventsAll: (id: string, query?: Schemas["LogsUnknownEventsQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["UnknownEvent"], void, undefined>
    /** `GET /events`: list changes of messages, conversations, contacts and leads, newest first. */
    readonly events: (query?: Schemas["LogsEventsQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Event"]>>
    /** Every row of {@link events}; fetches pages on demand. */
    readonly eventsAll: (query?: Schemas["LogsEventsQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Event"], void, undefined>
    /** `GET /events/{id}`: read the event of this id, such as that of a webhook delivery. */
    readonly event: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Event"]>>
  }
  readonly secrets: {
    /** `GET /secrets`: count encrypted values by key. */
    readonly status: (options?: RequestOptions) => Promise<Answer<Schemas["Secrets"]>>
    /** `POST /secrets/rotate`: encrypt the next values under the current key; repeat with the cursor until it is null. */
    readonly rotate: (body: Schemas["RotationInput"], options?: CreateOptions) => Promise<Answer<Schemas["SecretsRotation"]>>
  }
  readonly retention: {
    /** `GET /retention`: read the retention periods. */
    readonly get: (options?: RequestOptions) => Promise<Answer<Schemas["Retention"]>>
  }
  readonly jobs: {
    /** `GET /jobs`: list the jobs of the queue, newest first; with a lane, by due time. */
    readonly list: (query?: Schemas["JobsListQuery"], options?: RequestOptions) => Promise<CursorPage<Schemas["Job"]>>
    /** Every row of {@link list}; fetches pages on demand. */
    readonly listAll: (query?: Schemas["JobsListQuery"], options?: RequestOptions) => AsyncGenerator<Schemas["Job"], void, undefined>
    /** `GET /jobs/{id}`: read one job: its state, its next try, and its last error. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Schemas["Job"]>>
    /** `POST /jobs/{id}/retry`: retry a parked job now. */
    readonly retry: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["Job"]>>
    /** `POST /jobs/{id}/drop`: give up a parked job, or a message that waits: the message, delivery, run or file fails. */
    readonly drop: (id: string, options?: CreateOptions) => Promise<Answer<Schemas["Job"]>>
  }
  readonly status: {
    /** `GET /status`: read the status of the service, and what needs attention. */
    readonly get: (options?: RequestOptions) => Promise<Answer<Schemas["Status"]>>
    /** `GET /status/applications`: read what waits for each application, those with the most first. */
    readonly byApplication: (query?: Schemas["StatusByApplicationQuery"], options?: RequestOptions) => Promise<Answer<Schemas["ApplicationStatus"]>>
  }
}

/** Method, path and input of each call. */
export const adminRoutes = {
  workspaces: {
    create: { method: "POST", path: "/workspaces", input: "body", isPage: false },
    list: { method: "GET", path: "/workspaces", input: "query", isPage: true },
    get: { method: "GET", path: "/workspaces/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/workspaces/{id}", input: "body", isPage: false }
  },
  applications: {
    create: { method: "POST", path: "/applications", input: "body", isPage: false },
    list: { method: "GET", path: "/applications", input: "query", isPage: true },
    get: { method: "GET", path: "/applications/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/applications/{id}", input: "body", isPage: false },
    issueKey: { method: "POST", path: "/applications/{id}/api-keys", input: "none", isPage: false },
    listKeys: { method: "GET", path: "/applications/{id}/api-keys", input: "query", isPage: true },
    rotateKey: { method: "POST", path: "/applications/{id}/api-keys/{key_id}/rotate", input: "none", isPage: false },
    revokeKey: { method: "DELETE", path: "/applications/{id}/api-keys/{key_id}", input: "none", isPage: false },
    issueClient: { method: "POST", path: "/applications/{id}/oauth-clients", input: "none", isPage: false },
    listClients: { method: "GET", path: "/applications/{id}/oauth-clients", input: "query", isPage: true },
    rotateClient: { method: "POST", path: "/applications/{id}/oauth-clients/{client}/rotate", input: "none", isPage: false },
    revokeClient: { method: "DELETE", path: "/applications/{id}/oauth-clients/{client}", input: "none", isPage: false }
  },
  webhooks: {
    create: { method: "POST", path: "/applications/{id}/webhook-endpoints", input: "body", isPage: false },
    list: { method: "GET", path: "/applications/{id}/webhook-endpoints", input: "query", isPage: true },
    listOfWorkspace: { method: "GET", path: "/workspaces/{id}/webhook-endpoints", input: "query", isPage: true },
    get: { method: "GET", path: "/webhook-endpoints/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/webhook-endpoints/{id}", input: "body", isPage: false },
    remove: { method: "DELETE", path: "/webhook-endpoints/{id}", input: "none", isPage: false },
    rotateSecret: { method: "POST", path: "/webhook-endpoints/{id}/rotate-secret", input: "none", isPage: false },
    test: { method: "POST", path: "/webhook-endpoints/{id}/test", input: "none", isPage: false },
    recover: { method: "POST", path: "/webhook-endpoints/{id}/recover", input: "body", isPage: false },
    listDeliveries: { method: "GET", path: "/webhook-endpoints/{id}/deliveries", input: "query", isPage: true },
    findDeliveries: { method: "GET", path: "/webhook-deliveries", input: "query", isPage: true },
    getDelivery: { method: "GET", path: "/webhook-deliveries/{id}", input: "none", isPage: false },
    replay: { method: "POST", path: "/webhook-deliveries/{id}/replay", input: "none", isPage: false },
    ofMessage: { method: "GET", path: "/messages/{id}/webhooks", input: "none", isPage: false }
  },
  connections: {
    create: { method: "POST", path: "/connections", input: "body", isPage: false },
    list: { method: "GET", path: "/connections", input: "query", isPage: true },
    get: { method: "GET", path: "/connections/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/connections/{id}", input: "body", isPage: false },
    check: { method: "POST", path: "/connections/{id}/check", input: "none", isPage: false },
    setUp: { method: "POST", path: "/connections/{id}/setup", input: "none", isPage: false },
    syncTemplates: { method: "POST", path: "/connections/{id}/sync-templates", input: "none", isPage: false },
    importHistory: { method: "POST", path: "/connections/{id}/import-history", input: "body", isPage: false },
    providers: { method: "GET", path: "/providers", input: "none", isPage: true },
    simulateInbound: { method: "POST", path: "/connections/{id}/simulate-inbound", input: "body", isPage: false }
  },
  templates: {
    create: { method: "POST", path: "/templates", input: "body", isPage: false },
    list: { method: "GET", path: "/templates", input: "query", isPage: true },
    get: { method: "GET", path: "/templates/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/templates/{id}", input: "body", isPage: false }
  },
  pipelines: {
    create: { method: "POST", path: "/pipelines", input: "body", isPage: false },
    list: { method: "GET", path: "/pipelines", input: "query", isPage: true },
    get: { method: "GET", path: "/pipelines/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/pipelines/{id}", input: "body", isPage: false }
  },
  leads: {
    list: { method: "GET", path: "/leads", input: "query", isPage: true },
    get: { method: "GET", path: "/leads/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/leads/{id}", input: "body", isPage: false }
  },
  conversations: {
    list: { method: "GET", path: "/conversations", input: "query", isPage: true },
    get: { method: "GET", path: "/conversations/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/conversations/{id}", input: "body", isPage: false },
    reply: { method: "POST", path: "/conversations/{id}/messages", input: "body", isPage: false },
    typing: { method: "POST", path: "/conversations/{id}/typing", input: "none", isPage: false },
    read: { method: "POST", path: "/conversations/{id}/read", input: "none", isPage: false }
  },
  attachments: {
    create: { method: "POST", path: "/attachments", input: "file", isPage: false },
    get: { method: "GET", path: "/attachments/{id}", input: "none", isPage: false }
  },
  messages: {
    list: { method: "GET", path: "/messages", input: "query", isPage: true },
    get: { method: "GET", path: "/messages/{id}", input: "none", isPage: false },
    sending: { method: "GET", path: "/messages/{id}/sending", input: "none", isPage: false },
    raw: { method: "GET", path: "/messages/{id}/raw", input: "none", isPage: false }
  },
  tasks: {
    create: { method: "POST", path: "/tasks", input: "body", isPage: false },
    list: { method: "GET", path: "/tasks", input: "query", isPage: true },
    get: { method: "GET", path: "/tasks/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/tasks/{id}", input: "body", isPage: false }
  },
  contacts: {
    create: { method: "POST", path: "/contacts", input: "body", isPage: false },
    import: { method: "POST", path: "/contacts/import", input: "body", isPage: false },
    list: { method: "GET", path: "/contacts", input: "query", isPage: true },
    search: { method: "GET", path: "/contacts/search", input: "query", isPage: true },
    get: { method: "GET", path: "/contacts/{id}", input: "none", isPage: false },
    history: { method: "GET", path: "/contacts/{id}/history", input: "query", isPage: true },
    update: { method: "PATCH", path: "/contacts/{id}", input: "body", isPage: false },
    merge: { method: "POST", path: "/contacts/{id}/merge", input: "body", isPage: false },
    erase: { method: "DELETE", path: "/contacts/{id}", input: "none", isPage: false }
  },
  customFields: {
    create: { method: "POST", path: "/custom-fields", input: "body", isPage: false },
    list: { method: "GET", path: "/custom-fields", input: "query", isPage: true }
  },
  agents: {
    create: { method: "POST", path: "/agents", input: "body", isPage: false },
    list: { method: "GET", path: "/agents", input: "query", isPage: true },
    get: { method: "GET", path: "/agents/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/agents/{id}", input: "body", isPage: false }
  },
  teams: {
    create: { method: "POST", path: "/teams", input: "body", isPage: false },
    list: { method: "GET", path: "/teams", input: "query", isPage: true },
    get: { method: "GET", path: "/teams/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/teams/{id}", input: "body", isPage: false }
  },
  workflows: {
    create: { method: "POST", path: "/workflows", input: "body", isPage: false },
    validate: { method: "POST", path: "/workflows/validate", input: "body", isPage: false },
    list: { method: "GET", path: "/workflows", input: "query", isPage: true },
    get: { method: "GET", path: "/workflows/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/workflows/{id}", input: "body", isPage: false },
    publish: { method: "POST", path: "/workflows/{id}/publish", input: "none", isPage: false },
    unpublish: { method: "POST", path: "/workflows/{id}/unpublish", input: "none", isPage: false },
    rotateSecret: { method: "POST", path: "/workflows/{id}/rotate-secret", input: "none", isPage: false },
    listVersions: { method: "GET", path: "/workflows/{id}/versions", input: "query", isPage: true }
  },
  workflowRuns: {
    listOfWorkflow: { method: "GET", path: "/workflows/{id}/runs", input: "query", isPage: true },
    list: { method: "GET", path: "/workflow-runs", input: "query", isPage: true },
    get: { method: "GET", path: "/workflow-runs/{id}", input: "none", isPage: false },
    stop: { method: "POST", path: "/workflow-runs/{id}/stop", input: "none", isPage: false },
    retry: { method: "POST", path: "/workflow-runs/{id}/retry", input: "none", isPage: false },
    dryRun: { method: "POST", path: "/workflows/dry-run", input: "body", isPage: false }
  },
  bots: {
    create: { method: "POST", path: "/bots", input: "body", isPage: false },
    list: { method: "GET", path: "/bots", input: "query", isPage: true },
    get: { method: "GET", path: "/bots/{id}", input: "none", isPage: false },
    update: { method: "PATCH", path: "/bots/{id}", input: "body", isPage: false },
    listSessions: { method: "GET", path: "/bots/{id}/sessions", input: "query", isPage: true },
    getSession: { method: "GET", path: "/bot-sessions/{id}", input: "none", isPage: false }
  },
  logs: {
    requests: { method: "GET", path: "/request-log", input: "query", isPage: true },
    request: { method: "GET", path: "/request-log/{id}", input: "none", isPage: false },
    audit: { method: "GET", path: "/audit-log", input: "query", isPage: true },
    notifications: { method: "GET", path: "/notifications", input: "query", isPage: true },
    unknownEvents: { method: "GET", path: "/connections/{id}/unknown-events", input: "query", isPage: true },
    events: { method: "GET", path: "/events", input: "query", isPage: true },
    event: { method: "GET", path: "/events/{id}", input: "none", isPage: false }
  },
  secrets: {
    status: { method: "GET", path: "/secrets", input: "none", isPage: false },
    rotate: { method: "POST", path: "/secrets/rotate", input: "body", isPage: false }
  },
  retention: {
    get: { method: "GET", path: "/retention", input: "none", isPage: false }
  },
  jobs: {
    list: { method: "GET", path: "/jobs", input: "query", isPage: true },
    get: { method: "GET", path: "/jobs/{id}", input: "none", isPage: false },
    retry: { method: "POST", path: "/jobs/{id}/retry", input: "none", isPage: false },
    drop: { method: "POST", path: "/jobs/{id}/drop", input: "none", isPage: false }
  },
  status: {
    get: { method: "GET", path: "/status", input: "none", isPage: false },
    byApplication: { method: "GET", path: "/status/applications", input: "query", isPage: false }
  }
} as const
