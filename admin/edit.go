package admin

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

type editInput struct {
	ID   string `path:"id"`
	Body struct {
		Payload      *string            `json:"payload,omitempty" doc:"The text of a payload that is JSON. Without it and payload_bytes, the payload stays."`
		PayloadBytes *[]byte            `json:"payload_bytes,omitempty" doc:"In place of payload: one that is not JSON."`
		Headers      *map[string]string `json:"headers,omitempty" doc:"All headers. Without it, they stay."`
		Note         string             `json:"note,omitempty" maxLength:"4000" doc:"For the audit log."`
	}
}

type editOutput struct {
	ID string `json:"id" doc:"The id of the event, which waits now. The letter is resolved and keeps the original."`
}

// editLetter is for the role that sees payloads whole: others would send back
// what was masked.
func (a *api) editLetter(ctx context.Context, in *editInput) (*body[editOutput], error) {
	b := &in.Body
	switch {
	case b.Payload != nil && b.PayloadBytes != nil:
		return nil, huma.Error422UnprocessableEntity("send payload or payload_bytes, and not both")
	case b.Payload == nil && b.PayloadBytes == nil && b.Headers == nil:
		return nil, huma.Error422UnprocessableEntity("nothing is edited: send payload, payload_bytes or headers, or retry the letter as it is")
	}
	if err := errors.Join(checkID(in.ID), checkText("note", b.Note)); err != nil {
		return nil, err
	}
	if !isID(in.ID) {
		return nil, errNoLetter
	}
	err := dlq.Edit(ctx, a.Store, driver.Act{By: personOf(ctx).Name, Note: b.Note}, in.ID, func(e *driver.DeadEdit) error {
		switch {
		case b.Payload != nil:
			e.JSON, e.Bytes = json.RawMessage(*b.Payload), nil
		case b.PayloadBytes != nil:
			e.JSON, e.Bytes = nil, append([]byte{}, *b.PayloadBytes...)
		}
		if b.Headers != nil {
			e.Headers = *b.Headers
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &body[editOutput]{editOutput{in.ID}}, nil
}
