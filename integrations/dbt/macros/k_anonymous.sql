{#
    Every combination of the quasi-identifiers occurs in at least k rows, or for at least k persons.

    Missing values are a value like any other, because GROUP BY treats them so. A failure is one row of
    figures and never a value of the table, so that store_failures keeps nothing private.
#}
{% test k_anonymous(model, quasi_identifiers, k, person=none) %}
{{ lookalike.check_arguments(quasi_identifiers, 'k', k) }}
with classes as (
    select
        count(*) as class_rows,
        {% if person is none %}count(*){% else %}count(distinct {{ person }}){% endif %} as class_size
    from {{ model }}
    group by {{ quasi_identifiers | join(', ') }}
)
select
    count(*) as classes_below_k,
    sum(class_rows) as rows_below_k,
    min(class_size) as smallest_class
from classes
where class_size < {{ k }}
having count(*) > 0
{% endtest %}
