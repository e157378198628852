{#
    Every class over the quasi-identifiers has at least l different values of a sensitive column
    (distinct l-diversity). A missing value counts as one value. A failure is one row of figures.
#}
{% test l_diverse(model, quasi_identifiers, sensitive, l) %}
{{ lookalike.check_arguments(quasi_identifiers, 'l', l) }}
with classes as (
    select
        count(*) as class_rows,
        count(distinct {{ sensitive }})
            + max(case when {{ sensitive }} is null then 1 else 0 end) as sensitive_values
    from {{ model }}
    group by {{ quasi_identifiers | join(', ') }}
)
select
    count(*) as classes_below_l,
    sum(class_rows) as rows_below_l,
    min(sensitive_values) as fewest_values
from classes
where sensitive_values < {{ l }}
having count(*) > 0
{% endtest %}
