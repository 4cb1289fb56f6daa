from django.db import migrations

# Why an act failed stood in its entry alone, in front of what programs of rules said at it.
MOTIONS = r"""
INSERT INTO standard_motion
       (game_id, label, number, action, inputs, sealed, by_id, entry, at, due, "end", ended_in, note)
SELECT c.game_id, 'Tabled act', t.number, 'aceofspades.tabled',
       jsonb_build_object('kind', t.kind) || t.details
       || CASE WHEN r.number IS NULL THEN '{}' ELSE jsonb_build_object('request', r.number) END,
       t.sealed, NULL, t.entry, announced.at, t.due, t."end", t.ended_in,
       CASE t."end" WHEN 'failed' THEN coalesce(
           substring(ended.text FROM ', cannot be done: (.*?(?:any more|have the cards|immutable)\.)'),
           split_part(ended.text, ', cannot be done: ', 2)) ELSE '' END
  FROM aceofspades_tabled t
  JOIN aceofspades_contest c ON c.id = t.contest_id
  JOIN record_entry announced ON announced.game_id = c.game_id AND announced.seq = t.entry
  LEFT JOIN record_entry ended ON ended.game_id = c.game_id AND ended.seq = t.ended_in
  LEFT JOIN aceofspades_request r ON r.id = t.request_id
 ORDER BY t.id
"""
VOICES = """
INSERT INTO standard_voice (motion_id, player_id, side, entry)
SELECT m.id, s.player_id, v.way, v.entry
  FROM aceofspades_voice v
  JOIN aceofspades_contestant s ON s.id = v.contestant_id
  JOIN aceofspades_tabled t ON t.id = v.tabled_id
  JOIN aceofspades_contest c ON c.id = t.contest_id
  JOIN standard_motion m
    ON m.game_id = c.game_id AND m.label = 'Tabled act' AND m.number = t.number
 ORDER BY v.id
"""
CARDS = """
UPDATE standard_motion
   SET sealed = jsonb_build_object('cards', inputs -> 'cards'), inputs = inputs - 'cards'
 WHERE action = 'aceofspades.table_remedy' AND inputs ? 'cards'
"""


class Migration(migrations.Migration):
    dependencies = [
        ("aceofspades", "0003_tabled_acts_end_as_motions_do"),
        ("record", "0010_entries_of_a_subgame"),
        ("standard", "0007_motions_are_labelled_and_may_be_sealed"),
    ]

    operations = [
        migrations.RunSQL([MOTIONS, VOICES, CARDS, "SET CONSTRAINTS ALL IMMEDIATE"]),
        migrations.DeleteModel("Voice"),
        migrations.DeleteModel("Tabled"),
    ]
