"""Where each address that writes is shown to work: its test, by the name of the address.

`tests/test_writes.py` posts nonsense to the addresses of clubs twice, and `tests/test_access.py` posts by everybody else.
"""

AWARDS, PEOPLE, POOLS = "standings/awards", "league/test_people.py", "league/test_pools.py"
CLAIMS, INVITATIONS = "league/test_claims.py", "league/test_invitations.py"
MEETS, NIGHTS, SEASONS = "league/test_meets.py", "league/nights", "league/test_seasons.py"
BIN, MERGES, HIDDEN = (
    "standings/test_bin.py",
    "standings/test_merge_pages.py",
    "standings/test_hidden_names.py",
)
ARCHIVE, CALIBRATION = "standings/archive/test_pages.py", "ratings/test_calibration_page.py"
SCHEDULE = "noticeboard/test_schedule_pages.py"
WORKS = {
    "api:key-revoke": "api/test_keys.py::test_a_revoked_key_is_refused_and_revoking_twice_does_no_harm",
    "api:keys": "api/test_keys.py::test_a_key_is_shown_once_and_stored_as_a_hash",
    "api:result": "api/test_nights.py::test_a_result_is_read_and_corrected_by_its_version",
    "api:rules": "api/test_rules.py::test_organizers_replace_rules_and_doing_it_twice_is_one_change",
    "api:terms": "api/test_terms.py::test_organizers_set_the_terms",
    "forecasts:fit": "forecasts/test_pages.py::test_organizers_ask_for_other_settings_and_are_warned",
    "noticeboard:follow-mails": "noticeboard/test_feeds_and_frames.py::"
    "test_a_member_asks_for_results_by_mail_on_the_page_and_ends_them",
    "noticeboard:come": f"{SCHEDULE}::test_members_say_whether_they_come_and_see_who_does",
    "noticeboard:plan-create": f"{SCHEDULE}::test_a_helper_plans_a_week_of_events_by_the_clock_of_the_club",
    "noticeboard:plan-edit": f"{SCHEDULE}::test_a_change_moves_it_and_a_form_that_is_too_old_is_refused",
    "noticeboard:plan-cancel": f"{SCHEDULE}::test_a_change_moves_it_and_a_form_that_is_too_old_is_refused",
    "noticeboard:follow-key": f"{SCHEDULE}::"
    "test_a_private_club_is_read_by_the_secret_address_of_a_member_until_it_is_renewed",
    "lab:club-practice": "lab/test_practice.py::test_a_member_s_record",
    "lab:run-cancel": "lab/test_run_pages.py::test_a_cancelled_run_says_so_and_can_be_run_again",
    "lab:run-create": "lab/test_run_pages.py::test_an_organizer_starts_a_run_and_reads_its_report",
    "league:alias-remove": "league/reading/names/test_aliases.py::test_the_page_of_the_player_shows_and_removes_it",
    "league:claim-answer": f"{CLAIMS}::test_a_member_asks_and_an_organizer_approves",
    "league:club-create": "league/test_clubs.py::test_anybody_with_an_account_opens_a_club_and_owns_it",
    "league:club-edit": "league/test_clubs.py::test_an_owner_changes_the_settings",
    "league:event-create": "league/test_pools.py::test_an_evening_is_rated_where_its_form_says",
    "league:event-delete": f"{BIN}::test_deleted_and_undone_on_pages",
    "league:event-edit": f"{NIGHTS}/test_corrections.py::test_a_game_without_a_night_is_corrected_alone",
    "league:game-create": f"{POOLS}::test_a_pool_and_a_game_are_made_and_shut",
    "league:game-edit": f"{POOLS}::test_a_pool_and_a_game_are_made_and_shut",
    "league:game-rules": f"{POOLS}::test_a_game_has_rules_of_its_own",
    "league:guests": "league/test_rosters.py::test_ticked_players_become_members_or_guests",
    "league:hand-over": f"{CLAIMS}::test_an_owner_hands_the_club_over_and_stays_as_an_organizer",
    "league:import-preview": "league/test_import_pages.py::test_several_files_are_one_import",
    "league:import-undo": "league/test_import_pages.py::test_an_import_is_undone_from_its_page_once",
    "league:import-upload": "league/test_import_pages.py::test_several_files_are_one_import",
    "league:invitation-make": f"{INVITATIONS}::test_an_owner_invites_a_second_organizer_who_signs_up_and_enters",
    "league:invitation-revoke": f"{INVITATIONS}::test_an_invitation_that_has_ended_gives_nothing",
    "league:join": f"{INVITATIONS}::test_an_owner_invites_a_second_organizer_who_signs_up_and_enters",
    "league:leave": f"{CLAIMS}::test_a_member_leaves_and_the_history_says_who",
    "league:mail-stop": "league/test_mails.py::test_one_click_ends_them_without_signing_in",
    "league:mails": "league/test_mails.py::test_they_are_chosen_in_the_account_for_each_club",
    "league:meet-create": f"{MEETS}::test_a_meet_is_made_of_the_events_of_a_day",
    "league:meet-dissolve": f"{MEETS}::test_a_meet_is_dissolved_once_and_its_events_stay",
    "league:meet-edit": f"{MEETS}::test_a_meet_is_changed_once",
    "league:member-add": f"{PEOPLE}::test_an_owner_adds_a_member_by_name_or_e_mail",
    "league:member-remove": f"{PEOPLE}::test_a_member_is_removed_and_removing_again_does_no_harm",
    "league:member-restore": f"{CLAIMS}::test_a_removed_member_comes_back_with_role_and_player",
    "league:member-role": f"{PEOPLE}::test_a_role_is_changed_and_changed_again",
    "league:night-create": f"{NIGHTS}/test_page.py::test_a_night_is_published_and_sent_twice_it_is_one",
    "league:night-delete": f"{NIGHTS}/test_deletions.py::test_all_games_go_at_once",
    "league:night-edit": f"{NIGHTS}/test_corrections.py::test_a_night_is_corrected_on_the_same_sheet",
    "league:notices-seen": f"{CLAIMS}::"
    "test_a_change_of_rights_is_told_on_the_next_page_until_it_is_read_and_by_mail",
    "league:player-claim": f"{CLAIMS}::test_a_member_asks_and_an_organizer_approves",
    "league:player-create": "league/test_players.py::test_a_player_is_added",
    "league:player-delete": f"{BIN}::test_a_player_is_deleted_on_a_page",
    "league:player-edit": "league/test_players.py::test_a_player_is_renamed_and_a_guest_taken_in",
    "league:player-forget": f"{HIDDEN}::test_who_leaves_for_good_is_named_nowhere_in_the_database",
    "league:player-hide": f"{HIDDEN}::test_results_and_ratings_stay_and_the_name_comes_back",
    "league:player-unclaim": f"{CLAIMS}::"
    "test_a_claim_is_taken_back_by_the_person_or_an_organizer_and_by_nobody_else",
    "league:pool-create": f"{POOLS}::test_a_pool_and_a_game_are_made_and_shut",
    "league:pool-edit": f"{POOLS}::test_a_pool_and_a_game_are_made_and_shut",
    "league:roster": "league/test_rosters.py::"
    "test_a_pasted_list_makes_players_of_new_names_and_members_of_guests",
    "league:season-close": f"{SEASONS}::test_a_season_is_closed_and_opened_again_once_each",
    "league:season-delete": f"{BIN}::test_deleting_a_season_asks_for_its_name",
    "league:season-pool": f"{POOLS}::test_a_season_gets_another_pool_with_its_events",
    "league:version-restore": "standings/test_way_back.py::test_one_click_and_its_undo",
    "payouts:brought-edit": "payouts/test_points_from_balances.py::"
    "test_totals_brought_forward_can_be_negative_where_balances_count",
    "payouts:club-money": "payouts/test_club_money.py::test_an_owner_shows_net_money",
    "payouts:money-edit": "payouts/test_event_money.py::test_prizes_follow_from_the_pool_and_the_places",
    "payouts:season-create": f"{SEASONS}::test_a_season_is_begun_with_its_rules",
    "payouts:season-edit": f"{SEASONS}::test_a_season_is_changed",
    "payouts:terms-edit": "payouts/test_terms.py::"
    "test_a_multiplier_counts_in_the_standings_and_leaves_the_points",
    "privacy:account-delete": "privacy/test_account_delete.py::"
    "test_results_stay_and_everything_of_its_own_goes",
    "ratings:calibrate": f"{CALIBRATION}::test_stretching_from_a_season_on",
    "ratings:calibrate-take-back": f"{CALIBRATION}::test_taking_back",
    "ratings:settings-edit": "ratings/test_settings_page.py::"
    "test_a_change_is_saved_shown_and_rates_everything_again",
    "ratings:settings-edit 2": "ratings/test_profit_settings_page.py::test_badges_are_saved_shown_and_taken_away",
    "standings:award-change": f"{AWARDS}/test_changing.py::test_an_award_is_changed_in_its_place_and_logged",
    "standings:award-edit": f"{AWARDS}/test_adding.py::test_an_award_is_added_below_the_others_and_logged",
    "standings:award-move": f"{AWARDS}/test_moving_and_removing.py::test_awards_are_moved_and_the_ends_stay",
    "standings:award-remove": f"{AWARDS}/test_moving_and_removing.py::test_an_award_is_removed_once",
    "standings:bin-restore": f"{BIN}::test_deleted_and_undone_on_pages",
    "standings:club-close": f"{ARCHIVE}::test_a_closed_club_is_read_and_not_changed",
    "standings:club-delete": f"{ARCHIVE}::test_a_deleted_club_is_gone_and_comes_back",
    "standings:club-import": f"{ARCHIVE}::test_a_club_moves_by_download_and_upload",
    "standings:club-import-confirm": f"{ARCHIVE}::test_a_club_moves_by_download_and_upload",
    "standings:club-restore": f"{ARCHIVE}::test_a_deleted_club_is_gone_and_comes_back",
    "standings:correction": "standings/test_corrections.py::"
    "test_what_would_change_is_shown_and_nothing_saved",
    "standings:merge": f"{MERGES}::test_the_preview_is_what_happens",
    "standings:night-correction": f"{NIGHTS}/test_previews.py::test_saving_takes_a_reason_and_works_once",
    "standings:remember": "standings/pages/test_me.py::test_this_is_me_leads_to_my_page_and_my_row",
    "standings:seal-edit": "standings/seals/test_sealing.py::test_an_owner_seals_a_closed_season",
    "standings:unmerge": f"{MERGES}::test_the_page_of_the_player_leads_to_the_way_back",
}
